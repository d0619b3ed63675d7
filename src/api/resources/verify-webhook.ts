import { createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from "node:crypto";
import { InputError } from "../client/errors.ts";
import type { NotificationPayload } from "./notification-payload.ts";

/** Why a delivery is not to be believed. */
export type WebhookProblem =
  | "missing_header"
  | "invalid_timestamp"
  | "too_old"
  | "too_new"
  | "no_matching_signature"
  | "not_json";

/** A request that is no delivery of the one whose secret or key was given, or is none any more. Answer it with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
  readonly reason: WebhookProblem;

  constructor(reason: WebhookProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Headers as `fetch` or as Node's HTTP server gives them, in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** How far the clocks of sender and receiver may be apart, and how long a delivery may be on its way, in seconds. */
const TOLERANCE_SECONDS = 5 * 60;

/**
 * Proves that a delivery was sent by whom the secret or key is from, that nobody has changed it, and that it is at most
 * five minutes old; then gives what its body says. It follows Standard Webhooks 1.0.0.
 *
 * @param body as it was received, byte for byte: not parsed, and not written anew
 * @param secret the secret of the target, `whsec_…`, or the public key of the organization, `whpk_…`
 * @throws {WebhookVerificationError} for a delivery that is not to be believed
 * @throws {InputError} for a secret that is none, and for a body that is no text and no bytes
 *
 * @example
 * const event = verifyWebhook(request.headers, await request.bytes(), "whsec_…");
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
      "No signature of this request is right for its body and this secret",
    );
  }
  try {
    return JSON.parse(Buffer.from(body).toString());
  } catch (cause) {
    throw new WebhookVerificationError("not_json", "The body of this request is no JSON", { cause });
  }
}

/** Programs without types often come here behind a parser of JSON. */
function requireBytes(body: unknown): void {
  if (typeof body === "string" || body instanceof Uint8Array || body instanceof ArrayBuffer) return;
  const problem = "must be the bytes or the text that came, and not what was parsed from them";
  throw new InputError([{ input: "body", problem }]);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isGetter(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = typeof value === "string" ? value : (value?.[0] ?? "");
  if (text === "") throw new WebhookVerificationError("missing_header", `This request has no header ${name}`);
  return text;
}

function isGetter(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers["get"] === "function";
}

function checkAge(timestamp: string): void {
  if (!/^\d{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError(
      "invalid_timestamp",
      "The header webhook-timestamp is no time in seconds",
    );
  }
  const age = Date.now() / 1000 - Number(timestamp);
  if (age > TOLERANCE_SECONDS)
    throw new WebhookVerificationError("too_old", "This request was sent too long ago");
  if (age < -TOLERANCE_SECONDS) {
    throw new WebhookVerificationError(
      "too_new",
      "This request is of the future: is this machine's clock right?",
    );
  }
}

/** One of the signatures, `v1,…` or `v1a,…`. Those of other versions are for other receivers. */
function isRight(signature: string, signed: Uint8Array, key: ReceiverKey): boolean {
  const [version, base64 = ""] = signature.split(",");
  const given = Buffer.from(base64, "base64");
  if (key.kind === "public key") return version === "v1a" && verify(null, signed, key.publicKey, given);
  const expected = createHmac("sha256", key.secret).update(signed).digest();
  return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
}

/** What the texts begin with that Standard Webhooks gives keys as. The rest is base64. */
export const SECRET_PREFIX = "whsec_";
export const PRIVATE_KEY_PREFIX = "whsk_";
export const PUBLIC_KEY_PREFIX = "whpk_";

const SECRET_BYTES = { least: 24, most: 64 };
const PUBLIC_KEY_BYTES = 32;

/** What a receiver proves a delivery with. */
type ReceiverKey =
  | { readonly kind: "secret"; readonly secret: Uint8Array }
  | { readonly kind: "public key"; readonly publicKey: KeyObject };

/**
 * A secret, `whsec_…`, or a public key, `whpk_…`.
 *
 * @throws {InputError} for what is neither. Its message does not repeat it.
 */
function readReceiverKey(text: string): ReceiverKey {
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
