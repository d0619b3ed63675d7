import { type AnswerOf, fileAnswer, type OperationShape, type RequestOf } from "../../api/operation.ts";
import { type MemberOperationName, operations } from "../../api/resources/operations.ts";
import { planner } from "../../api/schema-plans.ts";
import { camelName, type Schema, toWire } from "../../api/wire-names.ts";
import { isList, type StreamedLists } from "../http/streamed-json.ts";
import { may } from "../kernel/access.ts";
import { invalidInput, NotFound } from "../kernel/errors.ts";
import { givenBy } from "../kernel/scope.ts";
import { letOthersIn } from "../kernel/slices.ts";
import { unstorableTexts } from "../kernel/storable-text.ts";
import type { ServiceContext } from "../operation/context.ts";
import { mayReadCopy } from "../operation/copies.ts";
import {
  type CallOf,
  type HandlerOf,
  type Handlers,
  requireRightTo,
  type Sender,
} from "../operation/handler.ts";
import type { RequestIdentity } from "../operation/idempotency.ts";
import { validateInput } from "./input-problems.ts";
import type { Viewer } from "./viewers.ts";

export type GivenTo<N extends MemberOperationName> = RequestOf<(typeof operations)[N]>;
export type AnsweredBy<N extends MemberOperationName> = AnswerOf<(typeof operations)[N]>;

/** Calls an operation as the viewer, with the operation's checks and rights. @throws Refusal as the operation does */
export type Call = <N extends MemberOperationName>(name: N, given: GivenTo<N>) => Promise<AnsweredBy<N>>;

/** Whether the viewer may call an operation with these parameters. Viewers without an account may only read. */
export type May = (name: MemberOperationName, given?: object) => boolean;

export function mayOf({ kind, caller }: Pick<Viewer, "kind" | "caller">): May {
  return (name, given = {}) => {
    const operation: OperationShape = operations[name];
    const isReading = operation.access === "read" || operation.access === "assert";
    return (kind === "account" || isReading) && may(caller, operation, all(given));
  };
}

interface CallParts {
  readonly handlers: Handlers;
  readonly context: ServiceContext;
  /** For operations that may read a copy. */
  readonly reading: ServiceContext;
  readonly sender: Sender;
  readonly identity: RequestIdentity;
}

/** Converts NotFound to undefined. */
export async function ifFound<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result;
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

export function makeCall({ handlers, context, reading, sender, identity }: CallParts): Call {
  return async <N extends MemberOperationName>(name: N, given: GivenTo<N>) => {
    const operation: OperationShape = operations[name];
    const used = mayReadCopy(operation) ? reading : context;
    await requireRightTo(used.store.read, sender, operation, all(given));
    const call = {
      ...sender,
      params: { ...checked(operation.params, given), ...checked(operation.query, given) },
      body: operation.body && checkedBody(operation.body.schema, given),
      files: {},
      identity,
    };
    // The schemas above checked that the values have these types.
    const handler = handlers[name] as unknown as HandlerOf<OperationShape>;
    const reply = await handler(call as unknown as CallOf<OperationShape>, used);
    return fromWireNames(operation, reply.status, await whole(reply)) as AnsweredBy<N>;
  };
}

function all(given: object) {
  return givenBy(given, "body" in given ? given.body : undefined);
}

function checked(schema: OperationShape["params"], given: object): object {
  if (schema === undefined) return {};
  const wire = Object(toWire(schema, given));
  const names = Object.keys(schema._zod.def.shape);
  const input = Object.fromEntries(
    names.flatMap((name) => (wire[name] === undefined ? [] : [[name, wire[name]]])),
  );
  return Object(valid(schema, input));
}

function checkedBody(schema: Schema, given: object): unknown {
  return valid(schema, toWire(schema, "body" in given ? given.body : undefined));
}

function valid(schema: Schema, input: unknown): unknown {
  const unstorable = unstorableTexts(input);
  if (unstorable.count > 0) throw invalidInput(unstorable.errors);
  const result = validateInput(schema, input);
  if ("errors" in result)
    throw invalidInput(result.errors, { message: "The input was not accepted", count: result.count });
  return result.value;
}

/** Some handlers answer with wire names. */
const namedInCode = planner({
  fieldNames: (wireName) => [camelName(wireName), wireName, camelName(wireName)],
});

function fromWireNames({ responses }: OperationShape, status: 200 | 201, body: unknown): unknown {
  const schema = responses[status];
  return schema === undefined || schema === fileAnswer ? body : namedInCode(schema)(body);
}

interface AnyReply {
  readonly body: unknown;
  readonly streamed?: StreamedLists;
}

/** The body of a reply, including the items of its streamed lists. */
async function whole({ body, streamed }: AnyReply): Promise<unknown> {
  if (streamed === undefined) return body;
  if (isList(streamed)) return itemsOf(streamed);
  const lists: Record<string, unknown[]> = {};
  for (const [name, slices] of Object.entries(streamed)) lists[name] = await itemsOf(slices ?? []);
  return { ...Object(body), ...lists };
}

async function itemsOf(slices: AsyncIterable<unknown> | readonly []): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const slice of slices) {
    if (Array.isArray(slice)) items.push(...slice);
    await letOthersIn();
  }
  return items;
}
