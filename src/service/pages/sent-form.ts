import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { Forbidden, Invalid, Refusal, TooLarge } from "../kernel/errors.ts";
import { decodeUtf8 } from "../kernel/json-text.ts";

/** More than any form of ours holds: reasons, and lists of names. */
const MOST_BYTES = 256 * 1024;

/** The name of the field that proves a form is from a page of the session. */
export const FORM_TOKEN = "form_token";
/** The name of the field that tells a form from the next one: one that is sent twice does its work once. */
export const FORM_ID = "form_id";

/**
 * Refuses what was not sent from a page of this service. Browsers say where a request comes from, the newer ones in
 * `Sec-Fetch-Site`; who says nothing is no browser, and has no cookie that he was not given.
 *
 * @throws Forbidden
 */
export function refuseForeign({ headers }: Pick<IncomingMessage, "headers">, publicUrl: string): void {
  const site = headers["sec-fetch-site"];
  if (site === undefined ? !isOwnOrigin(headers, publicUrl) : site !== "same-origin" && site !== "none")
    throw new Forbidden("The form was sent from another site");
}

/** A service without a public address is reached under whatever name its user knows it by. */
function isOwnOrigin({ origin, host }: IncomingMessage["headers"], publicUrl: string): boolean {
  if (origin === undefined) return true;
  const from = URL.parse(origin);
  return from !== null && (from.origin === new URL(publicUrl).origin || from.host === host);
}

/** What proves that a form is from a page of a session: nobody has it who has not the session's cookie. */
export function formTokenOf(sessionToken: string): string {
  return createHash("sha256").update(`form ${sessionToken}`).digest("base64url");
}

/**
 * A form token as a page holds it: another text each time. The size of a page that is compressed then tells nothing of
 * it to who makes the page repeat a guess.
 */
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

/** @throws Forbidden */
export function requireFormToken(sent: URLSearchParams, expected: string): void {
  const given = unmasked(sent.get(FORM_TOKEN) ?? "");
  const wanted = Buffer.from(expected);
  if (given.length === wanted.length && timingSafeEqual(given, wanted)) return;
  throw new Forbidden("The form is from a session that is over: load the page again");
}

/** @throws Invalid, TooLarge */
export async function readForm(incoming: IncomingMessage): Promise<URLSearchParams> {
  const type = incoming.headers["content-type"] ?? "";
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    throw new Invalid(`A form is sent as application/x-www-form-urlencoded, not as '${type}'`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > MOST_BYTES) throw new TooLarge(`A form holds at most ${MOST_BYTES / 1024} KB`);
      chunks.push(chunk);
    }
  } catch (error) {
    if (incoming.complete || error instanceof Refusal) throw error;
    // A sender that hangs up is no failure of the service.
    throw new Invalid("The form ended too early");
  }
  return new URLSearchParams(decodeUtf8(Buffer.concat(chunks), "form"));
}
