import { createHash, randomBytes } from "node:crypto";

/** A token for a cookie or a link: 256 random bits. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** What a token is found by. It is looked up by its hash, so that the time this takes tells nothing of a stored one. */
export function hashOfToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
