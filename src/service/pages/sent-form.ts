import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Forbidden, Invalid, Refusal, TooLarge } from "../kernel/errors.ts";
import { decodeUtf8 } from "../kernel/json-text.ts";

/** Maximum size of a form, more than any form of this service needs. */
const MAX_BYTES = 256 * 1024;

export const FORM_TOKEN = "form_token";
/** The field that identifies a form, so that a repeated submission takes effect once. */
export const FORM_ID = "form_id";

/**
 * Refuses a form of another site, by the headers that browsers send. Clients without them have no cookie to abuse.
 * Does not use hono's `csrf`, which accepts a form if one of the headers matches and refuses clients that send neither.
 * @throws Forbidden
 */
export function refuseForeign({ headers }: Pick<IncomingMessage, "headers">, publicUrl: string): void {
  const site = headers["sec-fetch-site"];
  if (site === undefined ? !isOwnOrigin(headers, publicUrl) : site !== "same-origin" && site !== "none")
    throw new Forbidden("page.form_foreign", "The form was sent from another site");
}

/** Compares the origin with the public URL, or with the `host` header if there is none. */
function isOwnOrigin({ origin, host }: IncomingMessage["headers"], publicUrl: string): boolean {
  if (origin === undefined) return true;
  const from = URL.parse(origin);
  return from !== null && (from.origin === new URL(publicUrl).origin || from.host === host);
}

/** Derives the form token from the session token, which only the session's browser has. */
export function formTokenOf(sessionToken: string): string {
  return createHash("sha256").update(`form ${sessionToken}`).digest("base64url");
}

/** Masks a form token differently on each page, so that the compressed size of a page does not reveal it. */
export function maskedFormToken(token: string): string {
  const bytes = Buffer.from(token);
  const mask = randomBytes(bytes.length);
  return Buffer.concat([mask, xor(bytes, mask)]).toString("base64url");
}

function unmasked(text: string): Buffer {
  const bytes = Buffer.from(text, "base64url");
  const half = bytes.length / 2;
  return Number.isInteger(half) ? xor(bytes.subarray(half), bytes.subarray(0, half)) : Buffer.alloc(0);
}

function xor(one: Uint8Array, other: Uint8Array): Buffer {
  return Buffer.from(one.map((byte, index) => byte ^ (other[index] ?? 0)));
}

export function isFormToken(sent: string | null, expected: string): boolean {
  const given = unmasked(sent ?? "");
  const wanted = Buffer.from(expected);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

export function requireFormToken(sent: URLSearchParams, expected: string): void {
  if (isFormToken(sent.get(FORM_TOKEN), expected)) return;
  throw new Forbidden("page.form_expired", "The session of this form has ended: reload the page");
}

export async function readForm(incoming: IncomingMessage): Promise<URLSearchParams> {
  const type = incoming.headers["content-type"] ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    throw new Invalid(
      "request.content_unsupported",
      `Forms must be application/x-www-form-urlencoded, got '${type}'`,
    );
  }
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > MAX_BYTES)
        throw new TooLarge("request.too_large", `The form is larger than ${MAX_BYTES / 1024} KB`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (incoming.complete || error instanceof Refusal) throw error;
    // The client closed the connection.
    throw new Invalid("request.body_truncated", "The form is incomplete");
  }
  return new URLSearchParams(decodeUtf8(Buffer.concat(chunks), "form"));
}
