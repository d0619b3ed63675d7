import { isAccessToken } from "../people/accounts/access-tokens.ts";
import type { KeyFault, KeyHolder } from "../people/accounts/keys.ts";
import { HttpError } from "./http-error.ts";

const CHALLENGE = 'Bearer, Basic realm="delivery-evidence"';

/**
 * Who sent a request, by its `Authorization` header: `Bearer <key>`, or `Basic` with the key as user name. The access
 * token of a workflow comes in the way of a key.
 *
 * @throws HttpError 401
 */
export async function authenticate(
  header: string | undefined,
  find: (key: string) => Promise<KeyHolder | KeyFault>,
): Promise<KeyHolder> {
  if (header === undefined || header.trim() === "") throw unauthorized("no credentials were sent");
  const key = keyIn(header);
  const finding = await find(key);
  const what = isAccessToken(key) ? "access token" : "API key";
  if (finding === "unknown") throw unauthorized(`the ${what} is not known`);
  if (finding === "expired") throw unauthorized(`the ${what} has expired`);
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
