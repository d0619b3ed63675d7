import type { ErrorCode } from "../../api/error-codes.ts";
import type { KeyFault, KeyOwner } from "../people/accounts/keys.ts";
import { isToken } from "../people/credentials.ts";
import { HttpError } from "./error-answer.ts";

const CHALLENGE = 'Bearer, Basic realm="delivery-evidence"';

/** @throws HttpError 401 */
export async function authenticate(
  header: string | undefined,
  find: (key: string) => Promise<KeyOwner | KeyFault>,
): Promise<KeyOwner> {
  if (header === undefined || header.trim() === "")
    throw unauthorized("auth.credentials_missing", "no credentials were sent");
  const key = keyIn(header);
  const finding = await find(key);
  const ofToken = isToken(key);
  const what = ofToken ? "access token" : "API key";
  if (finding === "unknown")
    throw unauthorized(ofToken ? "auth.token_invalid" : "auth.key_unknown", `the ${what} is not known`);
  if (finding === "expired")
    throw unauthorized(ofToken ? "auth.token_expired" : "auth.key_expired", `the ${what} has expired`);
  return finding;
}

function keyIn(header: string): string {
  const [, scheme = "", credentials = ""] = /^\s*(\S+)\s*(.*?)\s*$/.exec(header) ?? [];
  switch (scheme.toLowerCase()) {
    case "bearer":
      return credentials;
    case "basic": {
      const [key, password] = Buffer.from(credentials, "base64").toString("utf8").split(":");
      if (key === undefined || password === undefined)
        throw unauthorized("auth.key_unknown", "the API key is not known");
      return key;
    }
    default:
      throw unauthorized(
        "auth.scheme_unsupported",
        "the authorization scheme is not supported (use Bearer or Basic)",
      );
  }
}

function unauthorized(code: ErrorCode, why: string): HttpError {
  return new HttpError(401, code, `Unauthorized: ${why}`, { "www-authenticate": CHALLENGE });
}
