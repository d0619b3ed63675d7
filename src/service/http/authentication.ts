import type { KeyFault, KeyHolder } from "../accounts/keys.ts";
import { HttpError } from "./http-error.ts";

const CHALLENGE = 'Bearer, Basic realm="delivery-evidence"';

/**
 * Who sent a request, by its `Authorization` header: `Bearer <key>`, or `Basic` with the key as user name.
 *
 * @throws HttpError 401
 */
export async function authenticate(
  header: string | undefined,
  findKey: (key: string) => Promise<KeyHolder | KeyFault>,
): Promise<KeyHolder> {
  if (header === undefined || header.trim() === "") throw unauthorized("no credentials were sent");
  const finding = await findKey(keyIn(header));
  if (finding === "unknown") throw unauthorized("the API key is not known");
  if (finding === "expired") throw unauthorized("the API key has expired");
  return finding;
}

function keyIn(header: string): string {
  const [, scheme = "", credentials = ""] = /^\s*(\S+)\s*(.*?)\s*$/.exec(header) ?? [];
  switch (scheme.toLowerCase()) {
    case "bearer":
      return credentials;
    case "basic": {
      const [key, password] = Buffer.from(credentials, "base64").toString("utf8").split(":");
      if (key === undefined || password === undefined) throw unauthorized("the API key is not known");
      return key;
    }
    default:
      throw unauthorized("the authorization scheme is not supported (use Bearer or Basic)");
  }
}

function unauthorized(why: string): HttpError {
  return new HttpError(401, `Unauthorized: ${why}`, { "www-authenticate": CHALLENGE });
}
