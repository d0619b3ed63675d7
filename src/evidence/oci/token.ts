import { InputError, ProtocolError } from "../../api/client/errors.ts";
import { parseJson } from "../../api/json.ts";
import { asObject, asText } from "../../api/untyped.ts";
import { isLoopback } from "../../net/proxy.ts";
import type { Challenge } from "./challenge.ts";
import type { Connections } from "./connections.ts";
import type { Credentials } from "./credentials.ts";
import type { Asked } from "./exchange.ts";
import { type ImageReference, imageName } from "./reference.ts";
import { refusal } from "./refusal.ts";

/** How a registry that asks for a login is to be given one. */
export interface LoginRequest {
  readonly reference: ImageReference;
  /** The registry's address. */
  readonly registry: URL;
  readonly challenges: readonly Challenge[];
  readonly credentials: Credentials | undefined;
  /** Registries and their token servers may be spoken to in clear. */
  readonly allowHttp: boolean;
}

const CLIENT_ID = "delivery-evidence";

/**
 * The `Authorization` that meets a registry's challenge: a token for reading the image, without credentials too, or
 * the credentials themselves. Undefined when we have nothing that it would take.
 *
 * @throws {InputError} (`artifact`) when no token is given, and for a token server that must not have the credentials
 * @throws {ProtocolError} when the token server's answer holds none
 */
export async function authorizationFor(
  login: LoginRequest,
  connections: Connections,
): Promise<string | undefined> {
  const bearer = login.challenges.find(({ scheme }) => scheme === "bearer");
  if (bearer) return `Bearer ${await fetchToken(login, bearer, connections)}`;
  const basic = login.challenges.some(({ scheme }) => scheme === "basic");
  return basic && login.credentials?.kind === "password" ? basicOf(login.credentials) : undefined;
}

async function fetchToken(
  login: LoginRequest,
  { params }: Challenge,
  connections: Connections,
): Promise<string> {
  const { reference, credentials } = login;
  const realm = realmOf(params.get("realm") ?? "", login);
  const answer = await connections.send(tokenRequest(realm, params, login));
  const { host } = realm;
  if (answer.status >= 300 && answer.status < 400) {
    throw new ProtocolError({
      what: `${host}, where ${reference.registry} gives its tokens, redirected the request (${answer.status})`,
      advice: "This is not followed, since credentials could go astray.",
    });
  }
  if (answer.status !== 200) {
    throw refusal({ reference, host, status: answer.status, loggedIn: credentials !== undefined });
  }
  const content = asObject(parseJson(answer.bytes.toString())?.value);
  const token = asText(content["token"]) || asText(content["access_token"]);
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new ProtocolError({ what: `${host}, where ${reference.registry} gives its tokens, gave none` });
}

/** By the two ways of the token protocol: a GET with the password or nothing, a POST for an identity token. */
function tokenRequest(realm: URL, params: ReadonlyMap<string, string>, login: LoginRequest): Asked {
  const { reference, credentials } = login;
  const service = params.get("service");
  const wanted = {
    ...(service !== undefined && { service }),
    scope: params.get("scope") ?? `repository:${reference.repository}:pull`,
  };
  const headers = { accept: "application/json" };
  if (credentials?.kind === "identity-token") {
    const grant = { grant_type: "refresh_token", client_id: CLIENT_ID, refresh_token: credentials.token };
    return { method: "POST", url: realm, headers, form: new URLSearchParams({ ...wanted, ...grant }) };
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
 * The token server may be another host, as Docker Hub's is. It is spoken to in clear only by a registry that is
 * itself, and then only on this machine unless more is allowed.
 */
function realmOf(realm: string, { reference, registry, allowHttp }: LoginRequest): URL {
  const refuse = (why: string) =>
    new InputError([
      { input: "artifact", problem: `the registry of '${imageName(reference)}' gives tokens ${why}` },
    ]);
  if (!URL.canParse(realm)) throw refuse("at no address");
  const url = new URL(realm);
  if (url.username !== "" || url.password !== "") throw refuse("at an address with a password of its own");
  const mayBePlain = registry.protocol === "http:" && (isLoopback(url.hostname) || allowHttp);
  if (url.protocol === "https:" || (url.protocol === "http:" && mayBePlain)) return url;
  throw refuse(`at ${url.origin}, where the login would travel in clear`);
}

function basicOf({ username, password }: { username: string; password: string }): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
