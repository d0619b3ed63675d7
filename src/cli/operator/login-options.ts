import * as z from "zod/mini";
import { requestProblems } from "../../api/client/request-problems.ts";
import { MOST_LINES, mappedRole, providerFields } from "../../api/resources/login-providers.ts";
import { readYaml, YamlError } from "../../service/kernel/yaml-text.ts";
import type { LoginProvider } from "../../service/people/sign-in/provider.ts";
import { contentOf, type Environment, given, UsageError } from "../usage.ts";

const line = z.strictObject({ ...mappedRole, org: z.string() });

const file = z.strictObject({
  providers: z
    .array(
      z.strictObject({
        name: z.string().check(z.regex(/^[a-z0-9][a-z0-9-]*$/), z.maxLength(64)),
        ...providerFields,
        client_secret: z.optional(z.string()),
        client_secret_file: z.optional(z.string()),
        role_map: z._default(z.array(line).check(z.maxLength(MOST_LINES)), []),
      }),
    )
    .check(z.minLength(1)),
});

/**
 * Reads the providers of `--oidc-login FILE` or `EVIDENCE_OIDC_LOGIN`.
 *
 * @throws {UsageError}
 */
export async function loginProvidersFrom(
  path: string | undefined,
  environment: Environment,
): Promise<LoginProvider[]> {
  if (path === undefined) return [];
  const content = contentIn(await contentOf(path, "the login providers"), path);
  const { data, error } = z.safeParse(file, content);
  if (error !== undefined) {
    const problems = requestProblems(error.issues, content, { body: "the file" });
    throw new UsageError(
      `${path}: ${problems.map(({ input, problem }) => `${input} ${problem}`).join("; ")}`,
    );
  }
  const names = data.providers.map(({ name }) => name);
  if (names.includes("device"))
    throw new UsageError(
      `${path}: a provider cannot be named 'device', because /login/device is another page`,
    );
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new UsageError(`${path}: two providers have the name '${twice}'`);
  return Promise.all(data.providers.map((provider) => loginProvider(provider, path, environment)));
}

function contentIn(text: string, path: string): unknown {
  try {
    return readYaml(text, path).content;
  } catch (error) {
    if (error instanceof YamlError) throw new UsageError(`${path}: ${error.message}`);
    throw error;
  }
}

async function loginProvider(
  {
    name,
    label = name,
    client_secret,
    client_secret_file,
    ...read
  }: z.infer<typeof file>["providers"][number],
  path: string,
  environment: Environment,
): Promise<LoginProvider> {
  const variable = `EVIDENCE_OIDC_SECRET_${name.toUpperCase().replaceAll("-", "_")}`;
  const secrets = [
    client_secret,
    client_secret_file && (await contentOf(client_secret_file, `the client secret of ${name}`)),
    given(environment, variable),
  ].filter((secret) => secret !== undefined && secret !== "");
  if (secrets.length > 1)
    throw new UsageError(
      `${path}: set one of client_secret, client_secret_file and ${variable} for '${name}'`,
    );
  return {
    ...{ name, label, kind: read.kind, issuer: read.issuer, clientId: read.client_id },
    clientSecret: secrets[0],
    ...{ scopes: read.scopes, groupsClaim: read.groups_claim, scimClaim: read.scim_claim },
    allowedDomains: read.allowed_domains,
    ...{ strict: read.strict, sync: read.sync, roleMap: read.role_map },
  };
}
