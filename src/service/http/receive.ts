import type { IncomingMessage } from "node:http";
import { type JsonBody, MAX_JSON_BODY_BYTES, type OperationShape } from "../../api/operation.ts";
import { MAX_IDEMPOTENCY_KEY } from "../../api/texts.ts";
import { camelName, type Schema } from "../../api/wire-names.ts";
import type { Caller, Organization, RequestSource } from "../kernel/caller.ts";
import { type FieldErrors, Invalid, invalidInput, MAX_LISTED_ERRORS, TooLarge } from "../kernel/errors.ts";
import { decodeUtf8, parseJson } from "../kernel/json-text.ts";
import { unstorableTexts } from "../kernel/storable-text.ts";
import { validate } from "../kernel/validate.ts";
import type { CallOf, PublicCallOf } from "../operation/handler.ts";
import { requestHash } from "../operation/idempotency.ts";
import type { ReceivedFile } from "../store/blobs/attachments.ts";
import { readMultipart } from "./multipart.ts";
import { readPath, readQuery } from "./query.ts";
import { type BodyStorage, readText, refuseEncodedBody, refuseOtherTypes } from "./received-text.ts";
import { type RequestTarget, spooledByOf, wrongEscapes } from "./request-head.ts";

export interface OpenRequest {
  readonly incoming: IncomingMessage;
  readonly source: RequestSource;
  readonly target: RequestTarget;
}

export interface Admitted extends OpenRequest {
  readonly org: Organization;
  readonly caller: Caller;
  readonly pathParams: Readonly<Record<string, string>>;
}

/** @throws Invalid, TooLarge, Busy, or HttpError 415 */
export async function receive<O extends OperationShape>(
  operation: O,
  request: Admitted,
  storage: BodyStorage,
): Promise<CallOf<O>> {
  refuseEncodedBody(request.incoming);
  const params = readParams(operation, request);
  const { value, text, files } = await readBody(operation, request.incoming, storage);
  const idempotencyKey = idempotencyKeyOf(request.incoming);
  let hash: string | undefined;
  const call = {
    org: request.org,
    caller: senderOf(request),
    source: request.source,
    params,
    body: value,
    files: namedFiles(operation, files),
    byProgram: true,
    identity: {
      apiKeyId: request.caller.keyId,
      idempotencyKey,
      proof: request.caller.workflow?.claims,
      hash: () => (hash ??= requestHash([request.incoming.method, request.target.path, text, listed(files)])),
    },
  };
  // The operation's schemas have just confirmed the declared types of these values.
  return call as unknown as CallOf<O>;
}

function senderOf({ caller, incoming }: Admitted): Caller {
  const spooledBy = spooledByOf(incoming);
  if (spooledBy === undefined) return caller;
  const { workflow } = caller;
  return { ...caller, spooledBy, ...(workflow && { workflow: { ...workflow, spooledBy } }) };
}

/** @throws Invalid */
function idempotencyKeyOf({ headers }: IncomingMessage): string | undefined {
  const { "idempotency-key": key } = headers;
  // An empty header is ignored, because requests that share it are not repeats.
  if (typeof key !== "string" || key === "") return undefined;
  if (key.length <= MAX_IDEMPOTENCY_KEY) return key;
  throw new Invalid(
    "request.header_invalid",
    `The header Idempotency-Key is longer than ${MAX_IDEMPOTENCY_KEY} characters`,
  );
}

function readParams(operation: OperationShape, { pathParams, target }: Admitted): object {
  const search = new URLSearchParams(target.query);
  const path = operation.params && readPath(operation.params, pathParams);
  const query = operation.query && readQuery(operation.query, search);
  const checked = [
    operation.params && validate(operation.params, path),
    operation.query && validate(operation.query, query, { prefix: "query." }),
  ];
  const wrong = [
    ...checked.flatMap((result) => (result && "errors" in result ? [result] : [])),
    unstorableTexts(path),
    unstorableTexts(query, ["query"]),
    wrongEscapes(target),
  ];
  const { errors, count } = merged(wrong);
  if (count > 0) throw invalidInput(errors, { count });
  return Object.assign({}, ...checked.map((result) => (result && "value" in result ? result.value : {})));
}

/** Merges errors. Several schemas may report one field, which then has one error; the rest are unknown fields. */
function merged(found: readonly FieldErrors[]): FieldErrors {
  // From entries, because an assignment would lose a field named `__proto__`.
  const errors = Object.fromEntries(found.flatMap((each) => Object.entries(each.errors)));
  const unlisted = found.reduce((sum, { count }) => sum + Math.max(0, count - MAX_LISTED_ERRORS), 0);
  return { errors, count: Object.keys(errors).length + unlisted };
}

interface BodyContent {
  value: unknown;
  text: string | undefined;
  files: ReadonlyMap<string, readonly ReceivedFile[]>;
}

/** Longer texts are parsed in their own turn, with other requests in between. */
const LONG_TEXT = 64 * 1024;

async function readBody(
  { body, invalidBodyMessage }: OperationShape,
  incoming: IncomingMessage,
  storage: BodyStorage,
): Promise<BodyContent> {
  if (!body) return { value: undefined, text: undefined, files: new Map() };
  const root = body.kind === "json" ? "body" : body.part;
  const { text, files } = await (body.kind === "json"
    ? readJson(incoming, body, storage)
    : readMultipart(incoming, body, storage));
  if (text === undefined) throw invalidInput({ [root]: "Field required [input: None]" });
  const check = (input: unknown) => checkBody(body.schema, input, root, invalidBodyMessage);
  if (text.length <= LONG_TEXT) return { value: check(parseJson(text, root)), text, files };
  const parsed = await storage.inTurn(() => parseJson(text, root));
  return { value: await storage.inTurn(() => check(parsed)), text, files };
}

async function readJson(
  incoming: IncomingMessage,
  { maxBytes = MAX_JSON_BODY_BYTES }: JsonBody,
  storage: BodyStorage,
): Promise<Omit<BodyContent, "value">> {
  refuseOtherTypes(incoming);
  return { text: await readText(incoming, maxBytes, storage), files: new Map() };
}

function checkBody(schema: Schema, input: unknown, root: string, message: string | undefined): unknown {
  const result = validate(schema, input, { root });
  if ("errors" in result) {
    const { errors, count } = merged([result]);
    throw invalidInput(errors, { message, count });
  }
  return result.value;
}

function namedFiles(operation: OperationShape, files: BodyContent["files"]): Record<string, unknown> {
  if (operation.body?.kind !== "multipart") return {};
  return Object.fromEntries(
    Object.entries(operation.body.files).map(([part, { count }]) => {
      const received = files.get(part) ?? [];
      return [camelName(part), count === "many" ? received : received[0]];
    }),
  );
}

function listed(files: BodyContent["files"]): unknown[] {
  return [...files].flatMap(([part, received]) =>
    received.map(({ name, mediaType, sha256 }) => [part, name, mediaType, sha256]),
  );
}

/** Anonymous requests get a smaller body limit. */
const MAX_PUBLIC_BODY_BYTES = 64 * 1024;

/** Reads an unauthenticated request. @throws Invalid, TooLarge, or HttpError 415 */
export async function receivePublic<O extends OperationShape>(
  operation: O,
  { incoming, source, target }: OpenRequest,
): Promise<PublicCallOf<O>> {
  const { query, body }: OperationShape = operation;
  const rawQuery = query && readQuery(query, new URLSearchParams(target.query));
  const params = query === undefined ? {} : checked(query, rawQuery, "query.");
  const sent = body === undefined ? undefined : checked(body.schema, await readSmallBody(incoming));
  // The operation's schemas have just confirmed the declared types of these values.
  return { source, params, body: sent } as unknown as PublicCallOf<O>;
}

function checked(schema: Parameters<typeof validate>[0], input: unknown, prefix?: string): unknown {
  const unstorable = unstorableTexts(input);
  if (unstorable.count > 0) throw invalidInput(unstorable.errors);
  const result = validate(schema, input, prefix === undefined ? { root: "body" } : { prefix });
  if ("errors" in result) throw invalidInput(result.errors, { count: result.count });
  return result.value;
}

async function readSmallBody(incoming: IncomingMessage): Promise<unknown> {
  const text = decodeUtf8(await readSmallBytes(incoming, MAX_PUBLIC_BODY_BYTES), "body");
  if (isForm(incoming)) return fieldsOf(new URLSearchParams(text));
  refuseOtherTypes(incoming);
  return parseJson(text, "body");
}

/** @throws TooLarge, or HttpError 415 */
export async function readSmallBytes(incoming: IncomingMessage, maxBytes: number): Promise<Buffer> {
  refuseEncodedBody(incoming);
  const chunks: Buffer[] = [];
  let size = 0;
  // The connection stays open, so that the client receives the error.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > maxBytes) {
      const limit = `${maxBytes / 1024} KB`;
      throw new TooLarge("request.too_large", `the request body is larger than the limit of ${limit}`);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function isForm({ headers: { "content-type": type = "" } }: IncomingMessage): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type);
}

const EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";

/** A form as in RFC 8693. Its audience is the organization, or the audience that the token must have. */
function fieldsOf(form: URLSearchParams): Record<string, string> {
  const grant = form.get("grant_type");
  if (grant !== EXCHANGE)
    throw new Invalid("request.field_invalid", `The grant_type must be ${EXCHANGE}, not '${grant ?? ""}'`);
  const named = {
    token: form.get("subject_token"),
    org: form.get("audience"),
    policy: form.get("policy"),
    repeat_secret: form.get("repeat_secret"),
  };
  return Object.fromEntries(
    Object.entries(named).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}
