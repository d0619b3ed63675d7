import { createHmac, type KeyObject, sign } from "node:crypto";
import { readSecret, signedBytes } from "../../../api/webhook-keys.ts";
import { readSigningKey } from "../../outgoing/signing-key.ts";

export interface ToSign {
  /** Of the event: it is the same for every attempt and every target. Without a full stop. */
  readonly id: string;
  /** Of this attempt, in Unix seconds. */
  readonly timestamp: number;
  /** As it is sent, byte for byte. */
  readonly body: string | Uint8Array;
  /** `whsec_…`, the newest first; in a time of grace also the former one. */
  readonly secrets: readonly string[];
  /** The private key of the organization, `whsk_…`. To read it takes longer than to sign: who signs often reads it once. */
  readonly signingKey?: string | KeyObject;
}

/** The headers of a signed delivery. */
export interface SignedHeaders extends Record<string, string> {
  readonly "webhook-id": string;
  readonly "webhook-timestamp": string;
  readonly "webhook-signature": string;
}

/**
 * The headers that prove a delivery, by Standard Webhooks 1.0.0: `v1` for each secret, `v1a` for the key.
 *
 * @throws RangeError for what no receiver could verify: nothing to sign with, an id with a full stop, a timestamp
 * that is no whole number
 */
export function signedHeaders({ id, timestamp, body, secrets, signingKey }: ToSign): SignedHeaders {
  if (id === "" || id.includes(".")) throw new RangeError("The id of a delivery has no full stop");
  if (!Number.isSafeInteger(timestamp))
    throw new RangeError("The timestamp of a delivery is in whole seconds");
  const signed = signedBytes(id, timestamp, body);
  const signatures = secrets.map(
    (secret) => `v1,${createHmac("sha256", readSecret(secret)).update(signed).digest("base64")}`,
  );
  if (signingKey !== undefined) {
    const key = typeof signingKey === "string" ? readSigningKey(signingKey) : signingKey;
    signatures.push(`v1a,${sign(null, signed, key).toString("base64")}`);
  }
  if (signatures.length === 0) throw new RangeError("A delivery is signed by a secret, a key, or both");
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signatures.join(" "),
  };
}
