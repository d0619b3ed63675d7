import * as z from "zod/mini";
import { type BodySource, bodyOf } from "../../net/body.ts";
import type { Received } from "../../net/client.ts";
import type { Deadline } from "../../net/deadline.ts";
import { PROFILES } from "../../net/profiles.ts";
import {
  type AnswerOf,
  type FileToSend,
  fileAnswer,
  LARGE_JSON_PART_BYTES,
  MAX_JSON_PART_BYTES,
  type OperationShape,
  type RequestOf,
} from "../operation.ts";
import { parsing } from "../parsing.ts";
import { ORIGIN_HEADER, SPOOLED_BY_HEADER } from "../resources/origin.ts";
import { VERSION } from "../version.ts";
import { camelName, type Schema, toWire } from "../wire-names.ts";
import { decoded, readAnswer, readRefusal } from "./answer.ts";
import { type Connection, isDotSegment } from "./connection.ts";
import { InputError, type InputProblem } from "./errors.ts";
import { type MultipartParts, multipartBody } from "./multipart.ts";

export interface CallOptions {
  /**
   * Makes a submission that is sent again, even by another process, be recorded once. A fresh one by default; all
   * attempts of one call share it.
   */
  readonly idempotencyKey?: string;
  /** Which run made what is sent, when this one does not: it was kept by another one. */
  readonly spooledBy?: string;
}

export interface Reply<O extends OperationShape> {
  /** 200 or 201; for some operations the difference tells whether something was created. */
  readonly status: number;
  readonly body: AnswerOf<O>;
  /** Such as those that count the pages of a list. */
  readonly headers: Received["headers"];
  /** Names the request in the service's log. */
  readonly requestId: string;
  /** What went well but should be known. */
  readonly warnings: readonly string[];
}

/**
 * Carries out one operation.
 *
 * @throws {InputError} when the request cannot be right; nothing was sent
 * @throws {ApiError} when the service refuses or fails
 * @throws {NetworkError | TimeoutError | ProtocolError} when no usable answer came
 * @example
 * const { body } = await call(connection, listRepos, { perPage: 50 });
 */
export async function call<O extends OperationShape>(
  connection: Connection,
  operation: O,
  request: RequestOf<O>,
  options: CallOptions = {},
): Promise<Reply<O>> {
  const given: Readonly<Record<string, unknown>> = request;
  const url = await addressOf(connection, operation, given);
  const parts = await partsOf(operation, given);
  return exchange(connection, operation, {
    url,
    body: sentBody(operation, parts),
    size: sizeOf(parts),
    options,
  });
}

const UNAUTHORIZED = 401;

/** What goes over the wire for one call, but for who asks. */
interface Message {
  readonly url: URL;
  readonly body: BodySource | undefined;
  /** Of its JSON, in bytes. */
  readonly size: number;
  readonly options: CallOptions;
}

/** Sends a message and reads what is answered. Throws as `call` does. */
export async function exchange<O extends OperationShape>(
  connection: Connection,
  operation: O,
  { url, body, size, options }: Message,
): Promise<Reply<O>> {
  const requestId = crypto.randomUUID();
  const { spooledBy } = options;
  const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
  const { maxBytes } = operation.responses[200] === fileAnswer ? PROFILES.files : PROFILES.api;
  const send = (authorization: string | undefined, deadline: Deadline) =>
    connection.client.send(
      {
        operation: operation.name,
        method: operation.method,
        url,
        headers: {
          accept: "application/json",
          ...(authorization !== undefined && { authorization }),
          "user-agent": `delivery-evidence/${VERSION}`,
          "x-request-id": requestId,
          ...(operation.method === "POST" && { "idempotency-key": idempotencyKey }),
          ...(spooledBy !== undefined && { [SPOOLED_BY_HEADER]: encodeURIComponent(spooledBy) }),
        },
        body,
        finalStatus: operation.conflictIsFinal ? 409 : undefined,
        maxBytes,
      },
      deadline,
    );
  const encoded = await connection.within(async (deadline) => {
    const authorization = await connection.authorization();
    const first = await send(authorization, deadline);
    if (first.status !== UNAUTHORIZED) return first;
    // A token may have ended while the step worked.
    const another = await connection.authorization(authorization);
    return another === authorization ? first : await send(another, deadline);
  });
  const answer = await decoded(encoded, maxBytes);
  const servedAs = String(answer.headers["x-request-id"] ?? requestId);
  const { org, credential, hide } = connection;
  const asked = { host: url.host, org, credential, requestId: servedAs, hide };
  if (answer.status >= 400) throw readRefusal(operation, answer, asked);
  const understood = readAnswer(operation, answer, asked);
  const warnings = [
    ...understood.warnings,
    ...remarksOnSize(operation, size),
    ...remarksOnParameters(operation, answer, url.host),
    // What another run made is expected to say so.
    ...(spooledBy === undefined ? remarksOnOrigin(answer) : []),
  ];
  if (operation.method === "POST" && answer.mayBeRepeated) {
    warnings.push(
      "an earlier attempt may have been recorded as well: a service that ignores Idempotency-Key now holds two records",
    );
  }
  const { status, headers } = answer;
  return { status, headers, body: understood.body, requestId: servedAs, warnings };
}

/** What a record says of where it comes from, and the token of its workflow does not. */
function remarksOnOrigin({ headers }: Received): string[] {
  const [, fields] = /^different; (.+)$/.exec(String(headers[ORIGIN_HEADER.toLowerCase()] ?? "")) ?? [];
  if (fields === undefined) return [];
  return [`recorded as different: the token of this workflow proves another ${fields}`];
}

/**
 * The body as it will be sent, so that it can be shown or kept without sending it.
 *
 * @throws {InputError} when it breaks a rule of the interface
 */
export async function describeBody<O extends OperationShape>(
  operation: O,
  request: RequestOf<O>,
): Promise<unknown> {
  const given: Readonly<Record<string, unknown>> = request;
  return operation.body && checked(operation.body.schema, given["body"]);
}

/**
 * The whole address: each parameter is encoded once, so that the service receives it as it was given.
 *
 * @throws {InputError} when a parameter breaks a rule of the interface
 */
export async function addressOf(
  connection: Connection,
  operation: OperationShape,
  given: Readonly<Record<string, unknown>>,
): Promise<URL> {
  const problems: InputProblem[] = [];
  const params = await parametersOf(operation.params, given, problems);
  const query = await parametersOf(operation.query, given, problems);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = name === "org" ? connection.org : String(params[name] ?? "");
    if (isDotSegment(value) || !value.isWellFormed()) {
      problems.push({ input: name, problem: `'${value}' is not a name` });
    }
    return encodeURIComponent(value.toWellFormed());
  });
  if (problems.length > 0) throw new InputError(problems);
  const url = new URL(connection.baseUrl + path);
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) url.searchParams.append(name, String(item));
    }
  }
  return url;
}

/** The parameters that a schema declares, under their wire names, checked but without the service's defaults. */
async function parametersOf(
  schema: OperationShape["params"],
  given: Readonly<Record<string, unknown>>,
  problems: InputProblem[],
): Promise<Record<string, unknown>> {
  if (!schema) return {};
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(schema._zod.def.shape)) {
    const value = given[camelName(name)];
    if (value !== undefined) values[name] = value;
  }
  const result = z.safeParse(schema, values, parsing);
  if (!result.success) problems.push(...(await inWords(result.error.issues, values)));
  return values;
}

/** A body before it is put together. */
export interface BodyParts {
  /** The body, or that part of a form which is JSON; undefined when the operation has none. */
  readonly json: string | undefined;
  readonly files: MultipartParts["files"];
}

/** @throws {InputError} when the body breaks a rule of the interface */
export async function partsOf(
  { body }: OperationShape,
  given: Readonly<Record<string, unknown>>,
): Promise<BodyParts> {
  if (!body) return { json: undefined, files: [] };
  const json = JSON.stringify(await checked(body.schema, given["body"]));
  if (body.kind === "json") return { json, files: [] };
  const size = Buffer.byteLength(json);
  if (size > MAX_JSON_PART_BYTES) {
    const problem = `is ${megabytes(size)} of JSON; the limit is ${megabytes(MAX_JSON_PART_BYTES)}`;
    throw new InputError([{ input: body.part, problem }], {
      advice: "Attach large data as a file instead of giving it as user-data.",
    });
  }
  return { json, files: fileParts(body.files, given["files"]) };
}

export function sizeOf({ json = "" }: BodyParts): number {
  return Buffer.byteLength(json);
}

function remarksOnSize({ body }: OperationShape, size: number): string[] {
  if (!body || body.kind === "json" || size <= LARGE_JSON_PART_BYTES) return [];
  const advice = "attach large data as a file instead of giving it as user-data";
  return [`${body.part} is ${megabytes(size)} of JSON, which other services may refuse: ${advice}`];
}

/** A filter that the service does not know had no effect: the answer holds more than was asked for. */
function remarksOnParameters({ name }: OperationShape, { headers }: Received, host: string): string[] {
  const ignored = headers["x-ignored-parameters"];
  if (ignored === undefined || ignored === "") return [];
  return [`${host} does not know these parameters of ${name} and ignored them: ${ignored}`];
}

export function sentBody({ body }: OperationShape, { json, files }: BodyParts): BodySource | undefined {
  if (!body || json === undefined) return undefined;
  return body.kind === "json"
    ? bodyOf("application/json; charset=utf-8", json)
    : multipartBody({ texts: [[body.part, json]], files });
}

/** The wire form of a body, after the rules of the interface were applied to it. */
async function checked(schema: Schema, body: unknown): Promise<unknown> {
  const wire = toWire(schema, body);
  const result = z.safeParse(schema, wire, parsing);
  if (!result.success) throw new InputError(await inWords(result.error.issues, wire));
  // What was given is sent, not what parsing made of it: the service applies its own defaults.
  return wire;
}

/** What finds the words is loaded only where something is wrong. */
async function inWords(issues: readonly z.core.$ZodIssue[], request: unknown): Promise<InputProblem[]> {
  const { requestProblems } = await import("./request-problems.ts");
  return requestProblems(issues, request);
}

function fileParts(
  rules: Readonly<Record<string, { count: "one" | "many" }>>,
  given: unknown,
): MultipartParts["files"] {
  if (typeof given !== "object" || given === null) return [];
  const files = new Map(Object.entries(given));
  return Object.keys(rules).flatMap((part) => {
    const value: FileToSend | readonly FileToSend[] | undefined = files.get(camelName(part));
    const list = [value ?? []].flat();
    // Services that know no indexed parts take a single file all the same.
    return list.map((file, index) => [list.length === 1 ? part : `${part}.${index}`, file] as const);
  });
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
