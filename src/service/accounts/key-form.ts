import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/*
 * An API key reads `de_`, 43 characters of base64url, and a checksum of six: whoever finds such a text in a repository
 * can tell a key from an accident without asking the service. Keys made before there was a checksum end without one, and
 * one that was chosen elsewhere reads as it likes: all of them work.
 */

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** The largest CRC32 has six digits of base 62. */
const CHECKSUM_LENGTH = 6;

/** A new API key: 256 random bits, and the checksum of all that stands before it. */
export function generateKey(): string {
  const random = `de_${randomBytes(32).toString("base64url")}`;
  return random + checksumOf(random);
}

/** The CRC32 of a text in base 62, filled up with zeros in front: the way of GitHub's own tokens. */
export function checksumOf(text: string): string {
  let digits = "";
  for (let rest = crc32(text); rest > 0; rest = Math.floor(rest / BASE62.length)) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
  }
  return digits.padStart(CHECKSUM_LENGTH, "0");
}
