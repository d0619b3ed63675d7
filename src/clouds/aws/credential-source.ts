import { readFile } from "node:fs/promises";
import { InputError } from "../../api/client/errors.ts";
import { bodyOf } from "../../net/body.ts";
import { Deadline } from "../../net/deadline.ts";
import { isLoopback } from "../../net/proxy.ts";
import { attemptAgain, RemoteFault, textOf } from "../remote-fault.ts";
import { xmlTexts } from "../xml-texts.ts";
import {
  type CredentialContext,
  type CredentialSource,
  type Credentials,
  pairOf,
  parseTemporary,
  type Role,
  type SourceKind,
  temporaryCredentials,
} from "./credentials.ts";
import { amazonDomain, endpointOf, variable } from "./variables.ts";

/**
 * Order: the given role, static keys, a web identity token in a file, container, `last`.
 *
 * @throws InputError without credentials, or with half of a pair
 */
export function credentialSource(
  context: CredentialContext,
  last: SourceKind = () => undefined,
): CredentialSource {
  for (const sourceOf of [givenRole, staticKeys, webIdentityCredentials, containerCredentials, last]) {
    const source = sourceOf(context);
    if (source) return source;
  }
  throw noCredentials(context.purpose);
}

export function noCredentials(purpose: string, cause?: Error): InputError {
  const next = "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
  const instance = cause && `, or give the workload, container or instance a role (${cause.message})`;
  const problem = `is missing, and there are no other credentials for ${purpose}: ${next}${instance ?? ""}`;
  return new InputError([{ input: "AWS_ACCESS_KEY_ID", problem, missing: true }], { cause });
}

function staticKeys({ environment }: CredentialContext): CredentialSource | undefined {
  const pair = pairOf(environment, "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY");
  if (pair === undefined) return undefined;
  const [accessKeyId, secretAccessKey] = pair;
  const sessionToken = variable(environment, "AWS_SESSION_TOKEN");
  const credentials = { accessKeyId, secretAccessKey, ...(sessionToken !== undefined && { sessionToken }) };
  return async () => credentials;
}

const CONTAINER = "the container's source of credentials";
const CONTAINER_SECONDS = 10;
/** Amazon's credentials endpoint for containers. Without TLS, because it is on the same machine. */
const CONTAINER_ENDPOINT = "http://169.254.170.2";
const LINK_LOCAL = ["169.254.170.2", "169.254.170.23", "[fd00:ec2::23]"];

/** Reads the credentials of the service's container (ECS, EKS Pod Identity). */
function containerCredentials({ environment, client }: CredentialContext): CredentialSource | undefined {
  const relative = variable(environment, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI");
  const full = variable(environment, "AWS_CONTAINER_CREDENTIALS_FULL_URI");
  if (relative === undefined && full === undefined) return undefined;
  const url = relative === undefined ? fullUri(full ?? "") : relativeUri(relative);
  return async () => {
    using deadline = new Deadline(CONTAINER_SECONDS);
    return await attemptAgain(async () => {
      const token = await authorization();
      const headers = { accept: "application/json", ...(token !== undefined && { authorization: token }) };
      const answer = await client.send({ operation: CONTAINER, method: "GET", url, headers }, deadline);
      return parseTemporary(CONTAINER, textOf(CONTAINER, answer));
    }, deadline);
  };

  /** A token file is read each time, because it is replaced regularly. */
  async function authorization(): Promise<string | undefined> {
    const named = "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE";
    const file = variable(environment, named);
    if (file !== undefined) return await tokenIn(file, named);
    return variable(environment, "AWS_CONTAINER_AUTHORIZATION_TOKEN");
  }
}

/** @throws InputError for an address of another machine */
function relativeUri(text: string): URL {
  const url = URL.parse(text, CONTAINER_ENDPOINT);
  if (url?.origin === CONTAINER_ENDPOINT) return url;
  const problem = `must be a path, not '${text}'`;
  throw new InputError([{ input: "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", problem }]);
}

/** @throws InputError for an address that would send credentials from another machine without TLS */
function fullUri(text: string): URL {
  const url = URL.parse(text);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLocal(url.hostname));
  if (url && isSafe) return url;
  const problem = `must be an https:// address or one of this machine, not '${text}'`;
  throw new InputError([{ input: "AWS_CONTAINER_CREDENTIALS_FULL_URI", problem }]);
}

function isLocal(hostname: string): boolean {
  return isLoopback(hostname) || LINK_LOCAL.includes(hostname);
}

const TOKEN_SERVICE = "the security token service";
const TOKEN_SERVICE_SECONDS = 20;

function givenRole(context: CredentialContext): CredentialSource | undefined {
  return context.role && assumedRole(context, context.role);
}

function webIdentityCredentials(context: CredentialContext): CredentialSource | undefined {
  const pair = pairOf(context.environment, "AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_ROLE_ARN");
  if (pair === undefined) return undefined;
  const [tokenFile, arn] = pair;
  // Read each time, because it is replaced regularly.
  return assumedRole(context, { arn, token: () => tokenIn(tokenFile, "AWS_WEB_IDENTITY_TOKEN_FILE") });
}

/** @throws InputError naming the variable */
async function tokenIn(file: string, input: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).trim();
  } catch (cause) {
    const problem = `'${file}' cannot be read`;
    throw new InputError([{ input, problem }], { cause });
  }
}

function assumedRole({ environment, region, client }: CredentialContext, role: Role): CredentialSource {
  const endpoint = endpointOf(environment, "STS") ?? `https://sts.${region}.${amazonDomain(region)}`;
  const sessionName = variable(environment, "AWS_ROLE_SESSION_NAME") ?? "delivery-evidence";

  async function ask(deadline: Deadline): Promise<Credentials> {
    const form = new URLSearchParams({
      Action: "AssumeRoleWithWebIdentity",
      Version: "2011-06-15",
      RoleArn: role.arn,
      RoleSessionName: sessionName,
      WebIdentityToken: await role.token(),
    });
    const body = bodyOf("application/x-www-form-urlencoded", form.toString());
    const headers = { accept: "application/xml" };
    const { status, bytes } = await client.send(
      { operation: TOKEN_SERVICE, method: "POST", url: new URL(endpoint), headers, body },
      deadline,
    );
    const texts = xmlTexts(bytes.toString());
    const textOf = (name: string) => texts.get(name)?.[0];
    if (status !== 200) {
      const refused = { status, code: textOf("Code"), detail: textOf("Message") };
      throw RemoteFault.answered(TOKEN_SERVICE, refused);
    }
    return temporaryCredentials(TOKEN_SERVICE, {
      accessKeyId: textOf("AccessKeyId") ?? "",
      secretAccessKey: textOf("SecretAccessKey") ?? "",
      sessionToken: textOf("SessionToken") ?? "",
      expiration: textOf("Expiration") ?? "",
    });
  }

  return async () => {
    using deadline = new Deadline(TOKEN_SERVICE_SECONDS);
    return await attemptAgain(() => ask(deadline), deadline);
  };
}
