import { readFile } from "node:fs/promises";
import { InputError } from "../../api/client/errors.ts";
import { asText } from "../../api/untyped.ts";
import { bodyOf } from "../../net/body.ts";
import { ProgramNotStarted, runProgram } from "../../net/run-program.ts";
import { objectIn } from "../answers.ts";
import type { Cloud } from "../cloud.ts";
import { explainFault } from "../explain-fault.ts";
import { RemoteFault } from "../remote-fault.ts";
import { requestToken } from "../token-request.ts";

/** Inputs of the login. */
export interface AzureLogin {
  /** Client ID of an application that trusts the job's identity. */
  readonly azureClientId?: string | undefined;
  readonly azureTenantId?: string | undefined;
}

/** Hosts of one of Azure's clouds. */
export interface AzureHosts {
  readonly login: string;
  readonly management: string;
  /** End of the names of its container registries. */
  readonly registries: string;
}

export const CLIENT_INPUT = "azure-client-id";
const TENANT_INPUT = "azure-tenant-id";
const TOKEN_FILE = "AZURE_FEDERATED_TOKEN_FILE";
const SECRET = "AZURE_CLIENT_SECRET";
const AUDIENCE = "api://AzureADTokenExchange";
const ASSERTION = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

const PUBLIC = hostsOf("login.microsoftonline.com", "management.azure.com", ".azurecr.io");
const CHINA = hostsOf("login.chinacloudapi.cn", "management.chinacloudapi.cn", ".azurecr.cn");
const CLOUDS: readonly AzureHosts[] = [
  PUBLIC,
  hostsOf("login.microsoftonline.us", "management.usgovcloudapi.net", ".azurecr.us"),
  CHINA,
  { ...CHINA, login: "login.partner.microsoftonline.cn" },
];

function hostsOf(login: string, management: string, registries: string): AzureHosts {
  return { login, management, registries };
}

type Variables = Readonly<Record<string, string>>;

/** The cloud that `AZURE_AUTHORITY_HOST` names. @throws InputError for an unknown one */
export function azureHosts({ AZURE_AUTHORITY_HOST: authority = "" }: Variables): AzureHosts {
  if (authority === "") return PUBLIC;
  const host = URL.parse(authority.includes("://") ? authority : `https://${authority}`)?.host;
  const hosts = CLOUDS.find(({ login }) => login === host);
  if (hosts !== undefined) return hosts;
  const known = CLOUDS.map(({ login }) => login).join(", ");
  throw new InputError([
    { input: "AZURE_AUTHORITY_HOST", problem: `must be one of ${known}, not '${authority}'` },
  ]);
}

/** An access token for Azure's management, and the input or variable that it depends on. */
export interface AzureToken {
  readonly source: string;
  readonly text: string;
}

/**
 * Order: the given application with the job's identity, a token in a file, a client secret, the login of `az`.
 *
 * @throws InputError without a login, or if Azure refuses it
 */
export async function accessToken(cloud: Cloud, login: AzureLogin, hosts: AzureHosts): Promise<AzureToken> {
  const { env, identityToken, mask } = cloud.options;
  const tenant = login.azureTenantId ?? (env["AZURE_TENANT_ID"] || undefined);
  const client = login.azureClientId ?? (env["AZURE_CLIENT_ID"] || undefined);
  const secret = env[SECRET];
  if (secret) mask(secret);
  const file = env[TOKEN_FILE];
  const given = login.azureClientId !== undefined;
  const source = given ? CLIENT_INPUT : file ? TOKEN_FILE : secret ? SECRET : undefined;
  if (source === undefined) return { source: CLIENT_INPUT, text: await tokenOfAz(cloud, hosts) };
  if (client === undefined) throw missing(CLIENT_INPUT, `is missing, although ${source} is set`);
  if (tenant === undefined) throw missing(TENANT_INPUT, `is missing, although ${source} is set`);
  if (!/^[\w.-]+$/.test(tenant)) {
    throw new InputError([{ input: TENANT_INPUT, problem: `'${tenant}' is not the ID of a tenant` }]);
  }
  const proof = async (): Promise<Record<string, string>> => {
    if (source === SECRET) return { client_secret: secret ?? "" };
    const assertion = given ? await identityToken(AUDIENCE) : await readToken(file ?? "");
    mask(assertion);
    return { client_assertion_type: ASSERTION, client_assertion: assertion };
  };
  const url = new URL(`https://${hosts.login}/${tenant}/oauth2/v2.0/token`);
  const form = async () => ({
    client_id: client,
    grant_type: "client_credentials",
    scope: `https://${hosts.management}/.default`,
    ...(await proof()),
  });
  try {
    return { source, text: await tokenFrom(cloud, url, form, "access_token") };
  } catch (error) {
    if (!(error instanceof RemoteFault)) throw error;
    const advice = given
      ? `Add a federated credential for this repository to the application, with the audience ${AUDIENCE}, and check ${CLIENT_INPUT} and ${TENANT_INPUT}.`
      : `Check AZURE_CLIENT_ID, AZURE_TENANT_ID and ${source}.`;
    throw explainFault(error, { input: source, advice });
  }
}

/** Requests a token with a form, and masks it. @throws RemoteFault */
export function tokenFrom(
  cloud: Cloud,
  url: URL,
  form: () => Promise<Record<string, string>>,
  field: "access_token" | "refresh_token",
): Promise<string> {
  const body = async () =>
    bodyOf("application/x-www-form-urlencoded", new URLSearchParams(await form()).toString());
  return requestToken(cloud, { url, body, fields: [field] });
}

async function readToken(path: string): Promise<string> {
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (cause) {
    throw new InputError([{ input: TOKEN_FILE, problem: `'${path}' cannot be read` }], { cause });
  }
}

/** The token of Azure's own program, as after azure/login. */
async function tokenOfAz(cloud: Cloud, hosts: AzureHosts): Promise<string> {
  const { env, deadline, mask } = cloud.options;
  const output: Buffer[] = [];
  const resource = `https://${hosts.management}/`;
  const args = ["account", "get-access-token", "--resource", resource, "--output", "json"];
  const onStdout = (chunk: Buffer) => output.push(chunk);
  const { exitCode } = await runProgram({
    program: "az",
    args,
    env,
    signal: deadline.signal,
    onStdout,
  }).catch((error: unknown) => {
    if (error instanceof ProgramNotStarted) return { exitCode: null };
    throw error;
  });
  const token = asText(objectIn({ bytes: Buffer.concat(output) })["accessToken"]);
  if (exitCode !== 0 || token === "")
    throw missing(CLIENT_INPUT, "is missing, and there is no other login to Azure");
  mask(token);
  return token;
}

function missing(input: string, problem: string): InputError {
  return new InputError([{ input, problem, missing: true }], {
    advice: `Set ${CLIENT_INPUT} and ${TENANT_INPUT}, or log in with azure/login in an earlier step.`,
  });
}
