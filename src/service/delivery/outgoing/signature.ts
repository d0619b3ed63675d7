import {
  createHmac,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import {
  decoded,
  PRIVATE_KEY_PREFIX,
  PUBLIC_KEY_PREFIX,
  readSecret,
  SECRET_PREFIX,
  signedBytes,
} from "../../../api/resources/verify-webhook.ts";

const SECRET_BYTES = 32;
const SEED_BYTES = 32;
/** The seed and its public key. */
const PRIVATE_KEY_BYTES = 64;

/** `whsec_…`, for one target and its receiver. */
export function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/** A private key `whsk_…`, which signs and is a secret, and a public key `whpk_…`, which verifies. */
export function newSigningKey() {
  const { d = "", x = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  const [seed, point] = [Buffer.from(d, "base64url"), Buffer.from(x, "base64url")];
  return {
    privateKey: PRIVATE_KEY_PREFIX + Buffer.concat([seed, point]).toString("base64"),
    publicKey: PUBLIC_KEY_PREFIX + point.toString("base64"),
  };
}

/** @throws Error that does not repeat the key */
export function readSigningKey(privateKey: string): KeyObject {
  const isPrefixed = privateKey.startsWith(PRIVATE_KEY_PREFIX);
  const bytes = isPrefixed ? decoded(privateKey.slice(PRIVATE_KEY_PREFIX.length)) : undefined;
  if (bytes?.length !== PRIVATE_KEY_BYTES)
    throw new Error(`A signing key must be ${PRIVATE_KEY_PREFIX} followed by 64 bytes as base64`);
  const [seed, point] = [bytes.subarray(0, SEED_BYTES), bytes.subarray(SEED_BYTES)];
  const jwk = { kty: "OKP", crv: "Ed25519", d: seed.toString("base64url"), x: point.toString("base64url") };
  return createPrivateKey({ key: jwk, format: "jwk" });
}

export interface ToSign {
  /** Event id, equal for all attempts and targets. It contains no period. */
  readonly id: string;
  /** Time of the attempt, in Unix seconds. */
  readonly timestamp: number;
  /** The exact bytes that are sent. */
  readonly body: string | Uint8Array;
  /** `whsec_…`, the newest first. A former one is included while it is valid. */
  readonly secrets: readonly string[];
  /** `whsk_…` of the organization. Parsing it takes longer than signing, so frequent callers pass the key. */
  readonly signingKey?: string | KeyObject;
}

/** Standard Webhooks 1.0.0: `v1` per secret, `v1a` for the key. @throws RangeError if no receiver could verify it */
export function signedHeaders({ id, timestamp, body, secrets, signingKey }: ToSign) {
  if (id === "" || id.includes("."))
    throw new RangeError("A delivery id must not be empty or contain a period");
  if (!Number.isSafeInteger(timestamp)) throw new RangeError("A delivery timestamp must be in whole seconds");
  const signed = signedBytes(id, timestamp, body);
  const signatures = secrets.map(
    (secret) => `v1,${createHmac("sha256", readSecret(secret)).update(signed).digest("base64")}`,
  );
  if (signingKey !== undefined) {
    const key = typeof signingKey === "string" ? readSigningKey(signingKey) : signingKey;
    signatures.push(`v1a,${sign(null, signed, key).toString("base64")}`);
  }
  if (signatures.length === 0) throw new RangeError("A delivery needs a secret or a key to sign with");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
