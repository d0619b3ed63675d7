import type { IncomingMessage } from "node:http";
import { MAX_JSON_BODY_BYTES } from "../../api/operation.ts";
import { parseExactJson } from "../exact-json.ts";
import { HttpError, invalidInput } from "../http-error.ts";
import { type BodyStorage, ReceivedText } from "./received-text.ts";
import { sizeText, tooLarge } from "./sizes.ts";
import { maySayUnstorable, unstorableTexts } from "./storable-text.ts";
import { isSystemError } from "./system-error.ts";

/** Reads a request's body as text, up to the limit of a JSON body. */
export async function readText(request: IncomingMessage, storage: BodyStorage): Promise<string> {
  const announced = Number(request.headers["content-length"] ?? 0);
  if (announced > MAX_JSON_BODY_BYTES) throw tooLarge("the request body", announced, MAX_JSON_BODY_BYTES);
  storage.room.enter();
  const text = new ReceivedText(storage);
  let size = 0;
  try {
    // The connection stays open, so that the sender gets to see a refusal.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length;
      if (size > MAX_JSON_BODY_BYTES) {
        throw new HttpError(
          413,
          `the request body is larger than the limit of ${sizeText(MAX_JSON_BODY_BYTES)}`,
        );
      }
      await text.append(chunk);
    }
    return decodeUtf8(await text.bytes(), "body");
  } catch (error) {
    if (request.complete || error instanceof HttpError || isSystemError(error)) throw error;
    // A sender that hangs up is no failure of the service.
    throw invalidInput({ body: "The request body ended too early" });
  } finally {
    await text.close();
  }
}

const JSON_TYPE = /^application\/([\w.+-]+\+)?json\s*(;|$)/i;

/** @throws HttpError 415 when a body is said to be something else than JSON; one of which nothing is said is taken */
export function refuseOtherTypes({ headers: { "content-type": type = "" } }: IncomingMessage): void {
  if (type === "" || JSON_TYPE.test(type)) return;
  throw new HttpError(415, `Content-Type '${type}' is not supported: send the body as application/json`);
}

/** @throws HttpError 400 when the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array, field: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidInput({ [field]: "Input should be valid UTF-8 text" });
  }
}

/**
 * @throws HttpError 400 when the text is not JSON, or says what cannot be kept; the text itself is not repeated,
 *   it may hold secrets
 */
export function parseJson(text: string, field: string): unknown {
  if (text.trim() === "") throw invalidInput({ [field]: "Field required [input: None]" });
  if (nestsDeeperThan(MAX_NESTING, text)) throw invalidInput({ [field]: "The JSON is nested too deeply" });
  const value = parsedJson(text, field);
  if (maySayUnstorable(text)) {
    const { errors, count } = unstorableTexts(value);
    if (count > 0) throw invalidInput(errors, undefined, count);
  }
  return value;
}

function parsedJson(text: string, field: string): unknown {
  try {
    return parseExactJson(text);
  } catch (error) {
    const [, line, column] = /line (\d+) column (\d+)/.exec(String(error)) ?? [];
    const place = line === undefined ? "" : `, error at line ${line}, column ${column}`;
    throw invalidInput({ [field]: `Input should be valid JSON${place}` });
  }
}

/** Deeper data cannot be written again without a risk to the stack; nothing that people write comes near. */
const MAX_NESTING = 500;

function nestsDeeperThan(limit: number, json: string): boolean {
  let depth = 0;
  for (let i = 0; i < json.length; i++) {
    const code = json.charCodeAt(i);
    if (code === QUOTE) i = endOfString(json, i);
    else if (code === OPEN_BRACKET || code === OPEN_BRACE) depth++;
    else if (code === CLOSE_BRACKET || code === CLOSE_BRACE) depth--;
    if (depth > limit) return true;
  }
  return false;
}

/** The place of the quote that ends the string which begins at a place; the end of the text when nothing ends it. */
function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(json: string, place: number): boolean {
  let first = place;
  while (json.charCodeAt(first - 1) === BACKSLASH) first--;
  return (place - first) % 2 === 1;
}

const QUOTE = 0x22;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
