import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from "node:crypto";
import { InputError } from "../client/errors.ts";
import type { NotificationPayload } from "./notification-payload.ts";

/** Reason why a delivery is rejected. */
export type WebhookProblem =
  | "missing_header"
  | "invalid_timestamp"
  | "too_old"
  | "too_new"
  | "no_matching_signature"
  | "not_json";

/** The request is not a current delivery for this secret or public key. Respond with 400. */
export class WebhookVerificationError extends Error {
  /** Name of the class. */
  override readonly name = "WebhookVerificationError";
  /** Reason of the rejection. */
  readonly reason: WebhookProblem;

  constructor(reason: WebhookProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Headers of `fetch` or of Node's HTTP server. Names may be in any case. */
export type WebhookHeaders =
  | {
      /** Returns the value of a header. */
      get(name: string): string | null;
    }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Maximum difference between the timestamp of a delivery and the clock of the receiver, in seconds. */
const TOLERANCE_SECONDS = 5 * 60;

/**
 * Verifies the signature of a delivery and its age of at most five minutes, and returns its payload. Follows Standard
 * Webhooks 1.0.0.
 *
 * @param body exact bytes or text of the request, never parsed and serialized again
 * @param secret the secret of the target, `whsec_…`, or the public key of the organization, `whpk_…`
 * @throws {WebhookVerificationError} for an invalid delivery
 * @throws {InputError} for an invalid secret, or a body that is neither text nor bytes
 *
 * @example
 * const event = verifyWebhook(request.headers, await request.bytes(), "whsec_…");
 * if (event.type === "api_key.expiring") show(event.api_key.days_left);
 */
export function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string,
): NotificationPayload {
  const key = readReceiverKey(secret);
  requireBytes(body);
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = headerOf(headers, "webhook-signature");
  checkAge(timestamp);
  const signed = signedBytes(id, timestamp, body);
  if (!signatures.split(" ").some((signature) => isRight(signature, signed, key))) {
    throw new WebhookVerificationError(
      "no_matching_signature",
      "No signature of this request matches its body and this secret: check the secret, and pass the body as received",
    );
  }
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch (cause) {
    throw new WebhookVerificationError("not_json", "The body of this request is not JSON", { cause });
  }
}

/** Programs without types often pass parsed JSON. */
function requireBytes(body: unknown): void {
  if (typeof body === "string" || body instanceof Uint8Array || body instanceof ArrayBuffer) return;
  const problem = "must be the received bytes or text, not parsed JSON";
  throw new InputError([{ input: "body", problem }]);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isGetter(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = typeof value === "string" ? value : (value?.[0] ?? "");
  if (text === "") throw new WebhookVerificationError("missing_header", `The header ${name} is missing`);
  return text;
}

function isGetter(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers["get"] === "function";
}

function checkAge(timestamp: string): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError(
      "invalid_timestamp",
      "The header webhook-timestamp is not a time in Unix seconds",
    );
  }
  const age = Date.now() / 1000 - Number(timestamp);
  if (age > TOLERANCE_SECONDS)
    throw new WebhookVerificationError("too_old", "This request is more than five minutes old");
  if (age < -TOLERANCE_SECONDS) {
    throw new WebhookVerificationError(
      "too_new",
      "This request is from the future: check the clock of this machine",
    );
  }
}

/** Verifies one signature, `v1,…` or `v1a,…`. Other versions never match. */
function isRight(signature: string, signed: Uint8Array, key: ReceiverKey): boolean {
  const [version, base64 = ""] = signature.split(",");
  const given = Buffer.from(base64, "base64");
  if (key.kind === "public key") return version === "v1a" && verify(null, signed, key.publicKey, given);
  const expected = createHmac("sha256", key.secret).update(signed).digest();
  return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
}

/** Prefixes of keys in Standard Webhooks. The rest of a key is base64. */
export const SECRET_PREFIX = "whsec_";
export const PRIVATE_KEY_PREFIX = "whsk_";
export const PUBLIC_KEY_PREFIX = "whpk_";

const SECRET_BYTES = { least: 24, most: 64 };
const PUBLIC_KEY_BYTES = 32;

/** Key to verify a delivery with. */
type ReceiverKey =
  | { readonly kind: "secret"; readonly secret: Uint8Array }
  | { readonly kind: "public key"; readonly publicKey: KeyObject };

/**
 * Reads a secret, `whsec_…`, or a public key, `whpk_…`.
 *
 * @throws {InputError} for an invalid key, which the message does not repeat
 */
function readReceiverKey(text: string): ReceiverKey {
  // Unset variable in a program without types.
  if (typeof text !== "string") throw unusable();
  if (!text.startsWith(PUBLIC_KEY_PREFIX)) return { kind: "secret", secret: readSecret(text) };
  const bytes = decoded(text.slice(PUBLIC_KEY_PREFIX.length));
  if (bytes?.length !== PUBLIC_KEY_BYTES) throw unusable();
  const jwk = { kty: "OKP", crv: "Ed25519", x: bytes.toString("base64url") };
  return { kind: "public key", publicKey: createPublicKey({ key: jwk, format: "jwk" }) };
}

/** @throws {InputError} for an invalid secret, which the message does not repeat */
export function readSecret(text: string): Uint8Array {
  const bytes = text.startsWith(SECRET_PREFIX) ? decoded(text.slice(SECRET_PREFIX.length)) : undefined;
  if (bytes === undefined || bytes.length < SECRET_BYTES.least || bytes.length > SECRET_BYTES.most)
    throw unusable();
  return bytes;
}

/** Undefined for invalid base64, which Node's decoder would accept in part. */
export function decoded(base64: string): Buffer | undefined {
  const bytes = Buffer.from(base64, "base64");
  return bytes.toString("base64") === base64 ? bytes : undefined;
}

function unusable(): InputError {
  const problem = `must be a secret, ${SECRET_PREFIX}…, or a public key, ${PUBLIC_KEY_PREFIX}…, as shown by the service`;
  return new InputError([{ input: "secret", problem }]);
}

/** Signed bytes: the id, the timestamp and the exact body. */
export function signedBytes(id: string, timestamp: string | number, body: string | Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(body)]);
}
