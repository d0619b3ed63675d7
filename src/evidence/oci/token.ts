import { InputError, ProtocolError } from "../../api/client/errors.ts";
import { parseJson } from "../../api/json.ts";
import { asObject, asText } from "../../api/untyped.ts";
import { bodyOf } from "../../net/body.ts";
import type { ClientRequest } from "../../net/client.ts";
import type { Answer } from "../../net/exchange.ts";
import { isLoopback } from "../../net/proxy.ts";
import type { Credentials } from "./credentials.ts";
import { type ImageReference, imageName } from "./reference.ts";
import { refusal } from "./refusal.ts";

/** Sends a request to a registry or its token server. */
export type Send = (request: ClientRequest) => Promise<Answer>;

export interface LoginRequest {
  readonly reference: ImageReference;
  readonly registry: URL;
  readonly challenges: readonly Challenge[];
  readonly credentials: Credentials | undefined;
  /** Requests the right to push too, which the challenge of a read does not name. */
  readonly push: boolean;
  /** Allows plain HTTP to registries and their token servers. */
  readonly allowHttp: boolean;
}

const CLIENT_ID = "delivery-evidence";

/**
 * The `Authorization` for a challenge: a token for the image, also without credentials, or the credentials.
 * Undefined if neither matches the challenge.
 *
 * @throws {InputError} (`artifact`) if no token is granted, or the token server must not get the credentials
 * @throws {ProtocolError} if the token server's response has no token
 */
export async function authorizationFor(login: LoginRequest, send: Send): Promise<string | undefined> {
  const bearer = login.challenges.find(({ scheme }) => scheme === "bearer");
  if (bearer) return `Bearer ${await fetchToken(login, bearer, send)}`;
  const basic = login.challenges.some(({ scheme }) => scheme === "basic");
  return basic && login.credentials?.kind === "password" ? basicOf(login.credentials) : undefined;
}

async function fetchToken(login: LoginRequest, { params }: Challenge, send: Send): Promise<string> {
  const { reference, credentials, push } = login;
  const realm = realmOf(params.get("realm") ?? "", login);
  const answer = await send(tokenRequest(realm, params, login));
  const { host } = realm;
  if (answer.status >= 300 && answer.status < 400) {
    throw new ProtocolError({
      what: `${host}, the token server of ${reference.registry}, redirected the request (${answer.status})`,
      advice: "Redirects are not followed, because credentials could leak.",
    });
  }
  if (answer.status !== 200) {
    throw refusal({ reference, host, status: answer.status, loggedIn: credentials !== undefined, push });
  }
  const content = asObject(parseJson(answer.bytes.toString())?.value);
  const token = asText(content["token"]) || asText(content["access_token"]);
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new ProtocolError({ what: `${host}, the token server of ${reference.registry}, returned no token` });
}

/** A GET with the password or nothing, a POST for an identity token. */
function tokenRequest(realm: URL, params: ReadonlyMap<string, string>, login: LoginRequest): ClientRequest {
  const { reference, credentials, push } = login;
  const service = params.get("service");
  const pull = `repository:${reference.repository}:pull`;
  const wanted = {
    ...(service !== undefined && { service }),
    scope: push ? `${pull},push` : (params.get("scope") ?? pull),
  };
  const headers = { accept: "application/json" };
  if (credentials?.kind === "identity-token") {
    const grant = { grant_type: "refresh_token", client_id: CLIENT_ID, refresh_token: credentials.token };
    const form = new URLSearchParams({ ...wanted, ...grant }).toString();
    return { method: "POST", url: realm, headers, body: bodyOf("application/x-www-form-urlencoded", form) };
  }
  const url = new URL(realm);
  for (const [name, value] of Object.entries(wanted)) url.searchParams.set(name, value);
  return {
    method: "GET",
    url,
    headers: { ...headers, ...(credentials && { authorization: basicOf(credentials) }) },
  };
}

/**
 * The token server may be another host, as Docker Hub's is. Plain HTTP is allowed only for a registry that uses it
 * too, and only on this machine unless `allowHttp`.
 */
function realmOf(realm: string, { reference, registry, allowHttp }: LoginRequest): URL {
  const refuse = (why: string) =>
    new InputError([
      { input: "artifact", problem: `the token server of the registry of '${imageName(reference)}' ${why}` },
    ]);
  if (!URL.canParse(realm)) throw refuse("has no valid address");
  const url = new URL(realm);
  if (url.username !== "" || url.password !== "") throw refuse("has an address with a password");
  const mayBePlain = registry.protocol === "http:" && (isLoopback(url.hostname) || allowHttp);
  if (url.protocol === "https:" || (url.protocol === "http:" && mayBePlain)) return url;
  throw refuse(`is ${url.origin}, which would receive the login unencrypted`);
}

function basicOf({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}

/** A login method from `WWW-Authenticate`. */
interface Challenge {
  /** `bearer`, `basic` */
  readonly scheme: string;
  readonly params: ReadonlyMap<string, string>;
}

const SCHEME = /[\s,]*([A-Za-z][\w.~+-]*)(?=\s|,|$)(?!\s*=)/y;
const PARAM = /[\s,]*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]+))/y;

/** RFC 9110, 11.6.1: one line may contain several challenges. Ignores the rest of a malformed line. */
export function parseChallenges(header: string | readonly string[] | undefined): readonly Challenge[] {
  return [header ?? []].flat().flatMap((line) => challengesOf(line));
}

function challengesOf(line: string): Challenge[] {
  const found: Challenge[] = [];
  let at = 0;
  const next = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const match = pattern.exec(line);
    if (match) at = pattern.lastIndex;
    return match;
  };
  for (let scheme = next(SCHEME); scheme; scheme = next(SCHEME)) {
    const params = new Map<string, string>();
    for (let param = next(PARAM); param; param = next(PARAM)) {
      const [, name = "", quoted, bare = ""] = param;
      params.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, "$1") ?? bare);
    }
    found.push({ scheme: (scheme[1] ?? "").toLowerCase(), params });
  }
  return found;
}
