import * as z from "zod/mini";
import { type BodySource, bodyOf } from "../../net/body.ts";
import type { Received } from "../../net/client.ts";
import type { Deadline } from "../../net/deadline.ts";
import { PROFILES } from "../../net/profiles.ts";
import type { FileToSend } from "../files.ts";
import {
  type AnswerOf,
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
import { type Naming, optionName } from "./naming.ts";
import type { CallOptions, Reply } from "./reply.ts";

/**
 * Calls one operation.
 *
 * @throws {InputError} for an invalid request, before anything is sent
 * @throws {ApiError} if the service rejects the request or fails
 * @throws {NetworkError | TimeoutError | ProtocolError} without a usable response
 * @example
 * const { body } = await call(connection, listRepos, { perPage: 50 });
 */
export async function call<O extends OperationShape>(
  connection: Connection,
  operation: O,
  request: RequestOf<O>,
  options: CallOptions = {},
): Promise<Reply<AnswerOf<O>>> {
  const given: Readonly<Record<string, unknown>> = request;
  const url = await addressOf(connection, operation, given);
  const parts = await partsOf(operation, given, connection.naming);
  return exchange(connection, operation, {
    url,
    body: sentBody(operation, parts),
    size: sizeOf(parts),
    options,
  });
}

const UNAUTHORIZED = 401;

/** A request without its credentials. */
interface Message {
  readonly url: URL;
  readonly body: BodySource | undefined;
  /** Size of the JSON, in bytes. */
  readonly size: number;
  readonly options: CallOptions;
}

/** Sends a message and reads the response. Throws the errors of `call`. */
export async function exchange<O extends OperationShape>(
  connection: Connection,
  operation: O,
  { url, body, size, options }: Message,
): Promise<Reply<AnswerOf<O>>> {
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
    // The token may have expired during the step.
    const another = await connection.authorization(authorization);
    return another === authorization ? first : await send(another, deadline);
  });
  const answer = await decoded(encoded, maxBytes);
  const servedAs = String(answer.headers["x-request-id"] ?? requestId);
  const { org, naming, credential, hide } = connection;
  const details = { host: url.host, org, naming, credential, requestId: servedAs, hide };
  if (answer.status >= 400) throw readRefusal(operation, answer, details);
  const understood = readAnswer(operation, answer, details);
  const warnings = [
    ...understood.warnings,
    ...remarksOnSize(operation, size, naming),
    ...remarksOnParameters(operation, answer, url.host),
    // A record of another run differs by design.
    ...(spooledBy === undefined ? remarksOnOrigin(answer) : []),
  ];
  if (operation.method === "POST" && answer.mayBeRepeated) {
    warnings.push(
      "an earlier attempt may have been recorded as well: a service that ignores Idempotency-Key now has two records",
    );
  }
  const { status, headers } = answer;
  return { status, headers, body: understood.body, requestId: servedAs, warnings };
}

/** Warns of origin fields in the record that differ from the workflow token. */
function remarksOnOrigin({ headers }: Received): string[] {
  const [, fields] = /^different; (.+)$/.exec(String(headers[ORIGIN_HEADER.toLowerCase()] ?? "")) ?? [];
  if (fields === undefined) return [];
  return [`recorded as different: the token of this workflow proves another ${fields}`];
}

/**
 * Returns the body as it would be sent, to show or store it.
 *
 * @throws {InputError} for an invalid body
 */
export async function describeBody<O extends OperationShape>(
  operation: O,
  request: RequestOf<O>,
): Promise<unknown> {
  const given: Readonly<Record<string, unknown>> = request;
  return operation.body && checked(operation.body.schema, given["body"]);
}

/**
 * Builds the complete address. Each parameter is encoded once, so the service receives it unchanged.
 *
 * @throws {InputError} for an invalid parameter
 */
export async function addressOf(
  connection: Connection,
  operation: OperationShape,
  given: Readonly<Record<string, unknown>>,
): Promise<URL> {
  const problems: InputProblem[] = [];
  const { naming } = connection;
  const params = await parametersOf(operation.params, given, { problems, naming });
  const query = await parametersOf(operation.query, given, { problems, naming });
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = name === "org" ? connection.org : String(params[name] ?? "");
    if (isDotSegment(value) || !value.isWellFormed()) {
      const input = naming === "code" ? camelName(name) : name;
      problems.push({ input, problem: `must be a name, not '${value}'` });
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

/** Validated parameters of a schema under their wire names, without the service's defaults. */
async function parametersOf(
  schema: OperationShape["params"],
  given: Readonly<Record<string, unknown>>,
  { problems, naming }: { readonly problems: InputProblem[]; readonly naming: Naming },
): Promise<Record<string, unknown>> {
  if (!schema) return {};
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(schema._zod.def.shape)) {
    const value = given[camelName(name)];
    if (value !== undefined) values[name] = value;
  }
  const result = z.safeParse(schema, values, parsing);
  if (!result.success) problems.push(...(await inWords(result.error.issues, values, naming, given)));
  return values;
}

/** Parts of a body. */
export interface BodyParts {
  /** The JSON body, or the JSON part of a form; undefined if the operation has no body. */
  readonly json: string | undefined;
  readonly files: MultipartParts["files"];
}

/** @throws {InputError} for an invalid body */
export async function partsOf(
  { body }: OperationShape,
  given: Readonly<Record<string, unknown>>,
  naming: Naming = "inputs",
): Promise<BodyParts> {
  if (!body) return { json: undefined, files: [] };
  const json = JSON.stringify(await checked(body.schema, given["body"], naming));
  if (body.kind === "json") return { json, files: [] };
  const size = Buffer.byteLength(json);
  if (size > MAX_JSON_PART_BYTES) {
    const problem = `is ${megabytes(size)} of JSON; the limit is ${megabytes(MAX_JSON_PART_BYTES)}`;
    throw new InputError([{ input: partName(body.part, naming), problem }], {
      advice: `Attach large data as a file instead of ${optionName(naming, "userData")}.`,
    });
  }
  return { json, files: fileParts(body.files, given["files"]) };
}

/** Name of a form's JSON part, for messages. */
function partName(part: string, naming: Naming): string {
  return naming === "inputs" ? part : optionName(naming, "body");
}

export function sizeOf({ json = "" }: BodyParts): number {
  return Buffer.byteLength(json);
}

function remarksOnSize({ body }: OperationShape, size: number, naming: Naming): string[] {
  if (!body || body.kind === "json" || size <= LARGE_JSON_PART_BYTES) return [];
  const advice = `attach large data as a file instead of ${optionName(naming, "userData")}`;
  return [
    `${partName(body.part, naming)} is ${megabytes(size)} of JSON, which other services may refuse: ${advice}`,
  ];
}

/** Warns of ignored filters: the response may contain more than the request wanted. */
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

/** Validates a body and returns its wire form. */
async function checked(schema: Schema, body: unknown, naming: Naming = "inputs"): Promise<unknown> {
  const wire = toWire(schema, body);
  const result = z.safeParse(schema, wire, parsing);
  if (!result.success) {
    throw new InputError(await inWords(result.error.issues, wire, naming, body));
  }
  // Sends the input and not the parsed value, because the service applies its own defaults.
  return wire;
}

/**
 * Describes the problems of a request. The module is loaded only if there are any.
 *
 * @param given the request as the caller wrote it
 */
async function inWords(
  issues: readonly z.core.$ZodIssue[],
  request: unknown,
  naming: Naming,
  given: unknown,
): Promise<InputProblem[]> {
  const { requestProblems } = await import("./request-problems.ts");
  return requestProblems(issues, request, {
    body: optionName(naming, "body"),
    ...(naming === "code" && { given }),
  });
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
    // A single file has no index, for services without indexed parts.
    return list.map((file, index) => [list.length === 1 ? part : `${part}.${index}`, file] as const);
  });
}

function megabytes(bytes: number): string {
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
