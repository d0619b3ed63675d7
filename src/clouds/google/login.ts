import { createSign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { InputError } from "../../api/client/errors.ts";
import { parseJson } from "../../api/json.ts";
import { asObject, asText, type Untyped } from "../../api/untyped.ts";
import { bodyOf } from "../../net/body.ts";
import { isLoopback } from "../../net/proxy.ts";
import type { Cloud } from "../cloud.ts";
import { explainFault } from "../explain-fault.ts";
import { RemoteFault } from "../remote-fault.ts";
import { requestToken } from "../token-request.ts";

/** Inputs of the login. */
export interface GoogleLogin {
  /** Full name of a workload identity provider that trusts the job's identity. */
  readonly googleIdentityProvider?: string | undefined;
  /** Service account to act as. */
  readonly googleServiceAccount?: string | undefined;
}

const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const STS = "https://sts.googleapis.com/v1/token";
const OAUTH = "https://oauth2.googleapis.com/token";
const JWT = "urn:ietf:params:oauth:token-type:jwt";
const PROVIDER = /^projects\/\d+\/locations\/global\/workloadIdentityPools\/[\w-]+\/providers\/[\w-]+$/;
const ACCOUNT = /^[\w.-]+@[\w.-]+$/;
const LIFETIME_SECONDS = 900;

export const PROVIDER_INPUT = "google-identity-provider";
const TOKEN_VARIABLE = "CLOUDSDK_AUTH_ACCESS_TOKEN";
const FILE_VARIABLE = "GOOGLE_APPLICATION_CREDENTIALS";

const TRUST = `Let the workload identity provider trust this repository, and check ${PROVIDER_INPUT}.`;
const IMPERSONATE =
  "Give the workflow's principal the role roles/iam.workloadIdentityUser on the service account, and enable the IAM Service Account Credentials API.";

/** The input or variable that decides on the login. @throws InputError without any, or for wrong inputs */
export function loginSource(
  { googleIdentityProvider: provider, googleServiceAccount: account }: GoogleLogin,
  env: Readonly<Record<string, string>>,
): string {
  if (provider !== undefined && !PROVIDER.test(provider)) {
    const form = "projects/NUMBER/locations/global/workloadIdentityPools/POOL/providers/PROVIDER";
    throw new InputError([{ input: PROVIDER_INPUT, problem: `must be ${form}, not '${provider}'` }]);
  }
  if (account !== undefined && (provider === undefined || !ACCOUNT.test(account))) {
    const problem =
      provider === undefined
        ? `needs ${PROVIDER_INPUT}`
        : `'${account}' is not the email of a service account`;
    throw new InputError([{ input: "google-service-account", problem }]);
  }
  if (provider !== undefined) return PROVIDER_INPUT;
  if (env[TOKEN_VARIABLE]) return TOKEN_VARIABLE;
  if (env[FILE_VARIABLE]) return FILE_VARIABLE;
  const problem = "is missing, and there is no other login to Google Cloud";
  throw new InputError([{ input: PROVIDER_INPUT, problem, missing: true }], {
    advice: `Set ${PROVIDER_INPUT}, or log in with google-github-actions/auth in an earlier step.`,
  });
}

/**
 * An access token of Google Cloud, which lives for at least 15 minutes.
 *
 * @throws InputError if the login is refused; NetworkError if the token services cannot be reached
 */
export async function accessToken(cloud: Cloud, login: GoogleLogin): Promise<string> {
  const { env, mask, identityToken } = cloud.options;
  const source = loginSource(login, env);
  if (source === TOKEN_VARIABLE) {
    const token = env[TOKEN_VARIABLE] ?? "";
    mask(token);
    return token;
  }
  if (source === FILE_VARIABLE) return await tokenOfFile(cloud, env[FILE_VARIABLE] ?? "");
  const audience = `//iam.googleapis.com/${login.googleIdentityProvider}`;
  const federated = await exchange(cloud, { audience, subject: () => identityToken(`https:${audience}`) });
  const account = login.googleServiceAccount;
  if (account === undefined) return federated;
  const url = `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/${account}:generateAccessToken`;
  return await impersonate(cloud, { url, federated, input: "google-service-account" });
}

/** Reads a file of google-github-actions/auth, or a key of a service account. */
async function tokenOfFile(cloud: Cloud, path: string): Promise<string> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new InputError([{ input: FILE_VARIABLE, problem: `'${path}' cannot be read` }], { cause });
  });
  const file = asObject(parseJson(text)?.value);
  const type = asText(file["type"]);
  if (type === "service_account") return await tokenOfKey(cloud, file);
  const { url, headers, format } = asObject(file["credential_source"]);
  if (type !== "external_account" || typeof url !== "string") {
    const problem = `'${path}' must be a key of a service account, or an external account with the URL of its token`;
    throw new InputError([{ input: FILE_VARIABLE, problem }]);
  }
  const field = asText(asObject(format)["subject_token_field_name"]);
  const source = { url: secureUrl(url, "credential_source"), headers: textsOf(headers), field };
  const federated = await exchange(cloud, {
    audience: asText(file["audience"]),
    type: asText(file["subject_token_type"]) || JWT,
    url: googleUrl(asText(file["token_url"]) || STS, "token_url"),
    subject: () => subjectToken(cloud, source),
    input: FILE_VARIABLE,
  });
  const impersonation = asText(file["service_account_impersonation_url"]);
  if (impersonation === "") return federated;
  const target = googleUrl(impersonation, "service_account_impersonation_url");
  return await impersonate(cloud, { url: target.href, federated, input: FILE_VARIABLE });
}

interface SubjectSource {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Field of a JSON response. Empty if the response is the token. */
  readonly field: string;
}

async function subjectToken(cloud: Cloud, { url, headers, field }: SubjectSource): Promise<string> {
  const operation = "the token endpoint of the job";
  const { bytes } = await cloud.ask(() => ({ operation, method: "GET", url, headers }));
  const text = bytes.toString();
  const token = field === "" ? text.trim() : asText(asObject(parseJson(text)?.value)[field]);
  if (token === "") throw RemoteFault.wrong(operation, "sent no token");
  cloud.options.mask(token);
  return token;
}

interface Exchange {
  readonly audience: string;
  readonly type?: string;
  readonly url?: URL;
  /** A token for each attempt, since the token service may have seen the last one. */
  readonly subject: () => Promise<string>;
  readonly input?: string;
}

function exchange(
  cloud: Cloud,
  { audience, type = JWT, url = new URL(STS), subject, input = PROVIDER_INPUT }: Exchange,
): Promise<string> {
  const json = async () => ({
    grantType: "urn:ietf:params:oauth:grant-type:token-exchange",
    audience,
    scope: SCOPE,
    requestedTokenType: "urn:ietf:params:oauth:token-type:access_token",
    subjectTokenType: type,
    subjectToken: await subject(),
  });
  return tokenFrom(cloud, { url, json, input, advice: TRUST });
}

function impersonate(
  cloud: Cloud,
  { url, federated, input }: { url: string; federated: string; input: string },
): Promise<string> {
  const json = async () => ({ scope: [SCOPE], lifetime: `${LIFETIME_SECONDS}s` });
  const headers = { authorization: `Bearer ${federated}` };
  return tokenFrom(cloud, { url: new URL(url), headers, json, input, advice: IMPERSONATE });
}

/** Signs a JWT with the key of a service account (RFC 7523). */
function tokenOfKey(cloud: Cloud, file: Untyped): Promise<string> {
  const url = googleUrl(asText(file["token_uri"]) || OAUTH, "token_uri");
  const json = async () => {
    const issued = Math.floor(Date.now() / 1000);
    const iss = asText(file["client_email"]);
    const claims = { iss, scope: SCOPE, aud: url.href, iat: issued, exp: issued + LIFETIME_SECONDS };
    const head = { alg: "RS256", typ: "JWT", kid: asText(file["private_key_id"]) };
    const text = [head, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    const assertion = `${text}.${signature(text, asText(file["private_key"]))}`;
    return { grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion };
  };
  const advice = "Check that the key of the service account exists and is enabled.";
  return tokenFrom(cloud, { url, json, input: FILE_VARIABLE, advice });
}

function signature(text: string, key: string): string {
  try {
    return createSign("RSA-SHA256").update(text).sign(key, "base64url");
  } catch {
    // The cause could quote the key.
    throw new InputError([{ input: FILE_VARIABLE, problem: "has no usable private_key" }]);
  }
}

interface TokenRequest {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body for each attempt. */
  readonly json: () => Promise<unknown>;
  readonly input: string;
  readonly advice: string;
}

async function tokenFrom(cloud: Cloud, { url, headers, json, input, advice }: TokenRequest): Promise<string> {
  const body = async () => bodyOf("application/json", JSON.stringify(await json()));
  try {
    return await requestToken(cloud, {
      ...{ url, body, fields: ["access_token", "accessToken"] },
      ...(headers && { headers }),
    });
  } catch (error) {
    throw error instanceof RemoteFault ? explainFault(error, { input, advice }) : error;
  }
}

/** Google's hosts get the job's tokens. @throws InputError for any other address */
function googleUrl(address: string, field: string): URL {
  const url = secureUrl(address, field);
  if (url.protocol === "https:" && url.hostname.endsWith(".googleapis.com")) return url;
  throw wrongField(field, `is not an address of Google: '${url.origin}'`);
}

function secureUrl(address: string, field: string): URL {
  const url = URL.parse(address);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))) return url;
  throw wrongField(field, "is not an https:// address");
}

function wrongField(field: string, what: string): InputError {
  return new InputError([{ input: FILE_VARIABLE, problem: `names a file whose ${field} ${what}` }]);
}

function textsOf(headers: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(asObject(headers)).map(([name, value]) => [name, asText(value)]));
}
