import { createPrivateKey, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { decoded, PRIVATE_KEY_PREFIX, PUBLIC_KEY_PREFIX, SECRET_PREFIX } from "../../api/webhook-keys.ts";

const SECRET_BYTES = 32;
const SEED_BYTES = 32;
/** The seed, and behind it the public key that is made from it. */
const PRIVATE_KEY_BYTES = 64;

/** A new secret for one target, which its receiver has to know: `whsec_…`. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** A pair of keys, of which receivers know one. */
export interface SigningKey {
  /** `whsk_…`: signs, and is a secret. */
  readonly privateKey: string;
  /** `whpk_…`: verifies, and is for everybody. */
  readonly publicKey: string;
}

/** A new Ed25519 key, for all targets of an organization. */
export function newSigningKey(): SigningKey {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const [seed, point] = [Buffer.from(d, "base64url"), Buffer.from(x, "base64url")];
  return {
    privateKey: PRIVATE_KEY_PREFIX + Buffer.concat([seed, point]).toString("base64"),
    publicKey: PUBLIC_KEY_PREFIX + point.toString("base64"),
  };
}

/** @throws Error for what is no private key. It does not repeat it. */
export function readSigningKey(privateKey: string): KeyObject {
  const isPrefixed = privateKey.startsWith(PRIVATE_KEY_PREFIX);
  const bytes = isPrefixed ? decoded(privateKey.slice(PRIVATE_KEY_PREFIX.length)) : undefined;
  if (bytes?.length !== PRIVATE_KEY_BYTES)
    throw new Error(`A signing key is ${PRIVATE_KEY_PREFIX} and 64 bytes as base64`);
  const [seed, point] = [bytes.subarray(0, SEED_BYTES), bytes.subarray(SEED_BYTES)];
  const jwk = { kty: "OKP", crv: "Ed25519", d: seed.toString("base64url"), x: point.toString("base64url") };
  return createPrivateKey({ key: jwk, format: "jwk" });
}
