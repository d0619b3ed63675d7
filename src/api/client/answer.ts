import * as z from "zod/mini";
import type { Received } from "../../net/client.ts";
import type { ErrorCode } from "../error-codes.ts";
import type { FileAnswer } from "../files.ts";
import { parseJson } from "../json.ts";
import { type AnswerOf, fileAnswer, type OperationShape } from "../operation.ts";
import { fromWire, type Schema } from "../wire-names.ts";
import type { Connection } from "./connection.ts";
import { ApiError, ProtocolError } from "./errors.ts";
import { failed } from "./failed-exchange.ts";
import { optionName } from "./naming.ts";

/** Maximum excerpt of an unexpected body in a message, in characters. */
const EXCERPT = 200;
/** Maximum length of a service's message, in characters, so that the text after it is not cut off. */
const MAX_MESSAGE = 2_000;

/** A response with its decoded body. */
export interface DecodedAnswer extends Received {
  /** Reason why the body cannot be decoded. */
  readonly undecodable?: string;
}

/** Decodes a response: a gateway may encode it unasked. */
export async function decoded(answer: Received, maxBytes: number): Promise<DecodedAnswer> {
  const encodings = String(answer.headers["content-encoding"] ?? "");
  if (encodings === "" || answer.bytes.length === 0) return answer;
  const { decodeBody, Undecodable } = await import("../../net/content-encoding.ts");
  try {
    return { ...answer, bytes: await decodeBody(answer.bytes, encodings, maxBytes) };
  } catch (error) {
    if (!(error instanceof Undecodable)) throw error;
    return { ...answer, bytes: Buffer.alloc(0), undecodable: error.message };
  }
}

/**
 * Reads a 2xx response. Services respond to a write with `"OK"`, `OK`, an object or nothing, and all of these are
 * accepted. A web page is not, because it only proves that a server listens.
 *
 * @throws {ProtocolError} if the response does not match the operation
 */
export function readAnswer<O extends OperationShape>(
  operation: O,
  answer: DecodedAnswer,
  details: Pick<RequestDetails, "host" | "hide" | "naming">,
): { body: AnswerOf<O>; warnings: string[] } {
  const isRead = operation.method === "GET";
  const unusable = (cause: string, advice: string) =>
    new ProtocolError({ what: failed(cause, exchangeOf(operation, answer, details)), advice });
  const unexpected = (wanted: string) =>
    unusable(
      `not ${wanted}: ${describeBody(answer, details)}`,
      `Check that ${optionName(details.naming, "baseUrl")} is the address of the service, without a login page or proxy in front of it.`,
    );
  if (answer.undecodable !== undefined) {
    const recorded = isRead ? "" : " The record may have been created.";
    throw unusable(
      answer.undecodable,
      `The request did not allow an encoded response: check the proxy or gateway in front of the service.${recorded}`,
    );
  }
  const schema = schemaFor(operation, answer.status);
  if (schema === fileAnswer) {
    const file = fileIn(answer);
    if (file === undefined) throw unexpected("a file");
    // `fileAnswer` has the type of a file.
    return { body: file as AnswerOf<O>, warnings: [] };
  }
  const text = textOf(answer);
  const json = parseJson(text);
  if (isWebPage(answer) || (isRead && !json)) throw unexpected("JSON");
  const candidates = json ? [json.value, text] : [text];
  let issues: readonly z.core.$ZodIssue[] = [];
  for (const candidate of isRead ? candidates.slice(0, 1) : candidates) {
    const parsed = parseTolerantly(schema, candidate);
    // The operation's own schema parsed it, so it has the operation's type.
    if (parsed.ok) return { body: fromWire(schema, parsed.value) as AnswerOf<O>, warnings: parsed.warnings };
    if (issues.length === 0) issues = parsed.issues;
  }
  throw unusable(
    `the response is JSON of an unexpected shape: ${describeIssue(issues[0])}`,
    "The service may have another version of the API.",
  );
}

/** The body as text, without a byte order mark. */
function textOf({ bytes }: Received): string {
  return new TextDecoder().decode(bytes);
}

function exchangeOf({ name }: OperationShape, { status }: Received, { host }: Pick<RequestDetails, "host">) {
  return { host, operation: name, status };
}

/**
 * Reads a file, which the service sends as an attachment. A web page in its place comes from another server.
 */
function fileIn(answer: Received): FileAnswer | undefined {
  const disposition = String(answer.headers["content-disposition"] ?? "");
  if (disposition === "" && isWebPage(answer)) return undefined;
  const mediaType = String(answer.headers["content-type"] ?? "application/octet-stream");
  return { name: fileName(disposition), mediaType, content: answer.bytes };
}

/** The name in a `Content-Disposition` (RFC 6266): the extended form before the plain one. */
function fileName(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]*)/i.exec(disposition)?.[1];
  const plain = /filename="?([^";]*)"?/i.exec(disposition)?.[1];
  try {
    return extended === undefined ? (plain ?? "") : decodeURIComponent(extended);
  } catch {
    return plain ?? "";
  }
}

/** The request and its service, for messages. */
export interface RequestDetails {
  readonly host: string;
  readonly org: string;
  readonly naming: Connection["naming"];
  readonly credential: Connection["credential"];
  readonly requestId: string;
  /** Removes the key, which the service may echo. */
  hide(text: string): string;
}

export function readRefusal(
  operation: OperationShape,
  answer: DecodedAnswer,
  details: RequestDetails,
): ApiError {
  const { status, attempts } = answer;
  const { message: serviceMessage, code, fieldErrors, isReadable } = errorBody(answer, details);
  // Other servers send no code.
  const isForeign =
    status === 404 && code === undefined && (!isReadable || /^not found(:|$)/i.test(serviceMessage));
  const isWrongPath = isForeign || code === "request.path_not_found";
  const [message = "", ...further] = (serviceMessage.trim() || "no reason given").split("\n");
  const fields = Object.entries(fieldErrors).map(([field, text]) => `${field}: ${text}`);
  const cause = refusal(operation, status, { ...details, message: cut(message) });
  return new ApiError({
    what: failed(cause, { ...exchangeOf(operation, answer, details), attempts }),
    advice: isWrongPath ? wrongAddress(details) : advice(status, operation, details),
    isForeign,
    // A message that repeats the fields is not shown twice.
    details: fields.length > 0 ? fields : further.map(cut),
    serviceMessage,
    status,
    code,
    fieldErrors,
    requestId: details.requestId,
    attempts,
  });
}

function refusal(
  { name, access }: OperationShape,
  status: number,
  { message, org, credential }: Pick<RequestDetails, "org" | "credential"> & { readonly message: string },
): string {
  if (access === "public") return message;
  if (status === 401) return `the ${credential} was rejected: ${message}`;
  if (status === 403)
    return `the ${credential} lacks the right to ${name} in organization '${org}': ${message}`;
  return message;
}

function advice(
  status: number,
  { access, body }: OperationShape,
  { credential, naming }: RequestDetails,
): string {
  if (access === "public" && status === 401) {
    return "Run the job again. If it fails again, ask the service's operator to check its clock and --oidc-issuer.";
  }
  if (credential === "access token") {
    if (status === 401) return "Run the job again: its trust policy may have just changed.";
    if (status === 403)
      return "Ask an admin to extend the role, flows or environments of the trust policy for this workflow.";
  }
  if (status === 401) return "The key may be mistyped, expired or revoked, or belong to another region.";
  if (status === 403) return "Use a key of this organization from an account whose role allows it.";
  if (status === 404) return "Check the names, and that they belong to this organization.";
  if (status === 413) {
    return body?.kind === "multipart"
      ? `Send less: use smaller attachments, or attach ${optionName(naming, "userData")} as a file.`
      : "Send less at a time, or raise the limit of the service or of the proxy in front of it.";
  }
  if (status === 429) return "The service limits the rate of requests: try again later.";
  if (status >= 500) return "The service failed: try again later.";
  return "";
}

interface ErrorBody {
  readonly message: string;
  readonly code?: ErrorCode | undefined;
  readonly fieldErrors: Readonly<Record<string, string>>;
  /** Whether the body is a valid error body of the API. */
  readonly isReadable: boolean;
}

function wrongAddress({ naming }: RequestDetails): string {
  return `There is no such path: check that ${optionName(naming, "baseUrl")} is the address of the service.`;
}

function errorBody(answer: DecodedAnswer, details: RequestDetails): ErrorBody {
  if (answer.undecodable !== undefined)
    return { message: answer.undecodable, fieldErrors: {}, isReadable: false };
  const body = z.safeParse(
    z.looseObject({ message: z.string(), errors: z.nullish(z.record(z.string(), z.unknown())) }),
    parseJson(textOf(answer))?.value,
  );
  if (!body.success) return { message: describeBody(answer, details), fieldErrors: {}, isReadable: false };
  const { code } = body.data;
  const fields = Object.entries(body.data.errors ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    message: details.hide(body.data.message),
    code: isCode(code) ? code : undefined,
    isReadable: true,
    fieldErrors: Object.fromEntries(fields.map(([field, text]) => [field, details.hide(String(text))])),
  };
}

/** Checks only the form, so that bundles need no list of codes. A newer service may have more codes. */
function isCode(value: unknown): value is ErrorCode {
  return typeof value === "string" && value.length <= 60 && /^[a-z_]+\.[a-z_]+$/.test(value);
}

function cut(message: string): string {
  return message.length <= MAX_MESSAGE ? message : `${message.slice(0, MAX_MESSAGE)}…`;
}

/** An excerpt that identifies the sender, such as `text/html "<html>…"`. */
export function describeBody(
  { headers, bytes }: Pick<Received, "headers" | "bytes">,
  { hide }: Pick<RequestDetails, "hide">,
  most = EXCERPT,
): string {
  const type = String(headers["content-type"] ?? "no content type").split(";")[0];
  // A character has at most four bytes, and runs of spaces are folded.
  // Hides keys before the text is cut, because half a key would not be recognized.
  const start = hide(bytes.subarray(0, most * 20).toString("utf8"));
  const excerpt = start.replace(/\s+/g, " ").trim().slice(0, most);
  return excerpt === "" ? "an empty body" : `${type} "${excerpt}"`;
}

function isWebPage({ headers, bytes }: Received): boolean {
  const start = bytes.subarray(0, EXCERPT).toString("utf8");
  return /^text\/html/i.test(String(headers["content-type"] ?? "")) || /^\s*<(!doctype|html)\b/i.test(start);
}

export function schemaFor(operation: OperationShape, status: number): Schema {
  const { 200: ok, 201: created } = operation.responses;
  return (status === 201 ? (created ?? ok) : (ok ?? created)) ?? z.unknown();
}

type Parsed =
  | { ok: true; value: unknown; warnings: string[] }
  | { ok: false; issues: readonly z.core.$ZodIssue[] };

/** Omits unknown fields of closed objects with a warning, because a newer service may send more. */
function parseTolerantly(schema: Schema, value: unknown): Parsed {
  const first = z.safeParse(schema, value);
  if (first.success) return { ok: true, value: first.data, warnings: [] };
  const extras = first.error.issues.filter((issue) => issue.code === "unrecognized_keys");
  if (extras.length === 0) return { ok: false, issues: first.error.issues };
  const trimmed = structuredClone(value);
  for (const { path, keys } of extras) for (const key of keys) removeKey(trimmed, path, key);
  const second = z.safeParse(schema, trimmed);
  if (!second.success) return { ok: false, issues: second.error.issues };
  const names = extras.flatMap(({ keys }) => keys).join(", ");
  return {
    ok: true,
    value: second.data,
    warnings: [`the response has unknown fields, which were ignored: ${names}`],
  };
}

function removeKey(root: unknown, path: readonly PropertyKey[], key: string): void {
  const parent = path.reduce<unknown>((at, step) => (isIndexable(at) ? at[step] : undefined), root);
  if (isIndexable(parent)) delete parent[key];
}

function isIndexable(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}

function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (!issue) return "unknown reason";
  const field = issue.path.length === 0 ? "the body" : `'${issue.path.join(".")}'`;
  return `${field}: ${issue.code === "invalid_type" ? `expected ${issue.expected}` : issue.code.replaceAll("_", " ")}`;
}
