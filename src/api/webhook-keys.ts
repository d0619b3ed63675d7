import { createPublicKey, type KeyObject } from "node:crypto";
import { InputError } from "./client/errors.ts";

/** What the texts begin with that Standard Webhooks gives keys as. The rest is base64. */
export const SECRET_PREFIX = "whsec_";
export const PRIVATE_KEY_PREFIX = "whsk_";
export const PUBLIC_KEY_PREFIX = "whpk_";

const SECRET_BYTES = { least: 24, most: 64 };
const PUBLIC_KEY_BYTES = 32;

/** What a receiver proves a delivery with. */
export type ReceiverKey =
  | { readonly kind: "secret"; readonly secret: Uint8Array }
  | { readonly kind: "public key"; readonly publicKey: KeyObject };

/**
 * A secret, `whsec_…`, or a public key, `whpk_…`.
 *
 * @throws {InputError} for what is neither. Its message does not repeat it.
 */
export function readReceiverKey(text: string): ReceiverKey {
  // From a variable that is not set, in a program without types.
  if (typeof text !== "string") throw unusable();
  if (!text.startsWith(PUBLIC_KEY_PREFIX)) return { kind: "secret", secret: readSecret(text) };
  const bytes = decoded(text.slice(PUBLIC_KEY_PREFIX.length));
  if (bytes?.length !== PUBLIC_KEY_BYTES) throw unusable();
  const jwk = { kty: "OKP", crv: "Ed25519", x: bytes.toString("base64url") };
  return { kind: "public key", publicKey: createPublicKey({ key: jwk, format: "jwk" }) };
}

/** @throws {InputError} for what is no secret. Its message does not repeat it. */
export function readSecret(text: string): Uint8Array {
  const bytes = text.startsWith(SECRET_PREFIX) ? decoded(text.slice(SECRET_PREFIX.length)) : undefined;
  if (bytes === undefined || bytes.length < SECRET_BYTES.least || bytes.length > SECRET_BYTES.most)
    throw unusable();
  return bytes;
}

/** Undefined for what is no base64: Node's decoder skips what it does not know. */
export function decoded(base64: string): Buffer | undefined {
  const bytes = Buffer.from(base64, "base64");
  return bytes.toString("base64") === base64 ? bytes : undefined;
}

function unusable(): InputError {
  const problem = `must be a secret, ${SECRET_PREFIX}…, or a public key, ${PUBLIC_KEY_PREFIX}…, as the service shows them`;
  return new InputError([{ input: "secret", problem }]);
}

/** What a signature is made of: the bytes of the body as they are sent, with what must not be changed either. */
export function signedBytes(id: string, timestamp: string | number, body: string | Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(body)]);
}
