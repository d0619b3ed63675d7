import type { AnswerOf, OperationShape } from "../operation.ts";
import { camelName } from "../wire-names.ts";
import { addressOf, type BodyParts, exchange, partsOf, sentBody, sizeOf } from "./call.ts";
import type { Connection } from "./connection.ts";
import type { CallOptions, Reply } from "./reply.ts";

/*
 * A call in two steps: a prepared request can be stored and sent unchanged by another process, so the service recognizes
 * a repeat.
 */

/** A request in wire form, without address and credentials. */
export interface Prepared extends BodyParts {
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Prepares a request to be stored or sent.
 *
 * @param request the request that `call` takes
 * @throws {InputError} for an invalid request
 */
export async function prepare(
  connection: Connection,
  operation: OperationShape,
  request: Readonly<Record<string, unknown>>,
): Promise<Prepared> {
  // Reports the same problems in the same order as `call`.
  await addressOf(connection, operation, request);
  return {
    params: wireParameters(operation, request),
    ...(await partsOf(operation, request, connection.naming)),
  };
}

/** Sends a prepared request. Throws the errors of `call`. */
export async function sendPrepared<O extends OperationShape>(
  connection: Connection,
  operation: O,
  prepared: Prepared,
  options: CallOptions = {},
): Promise<Reply<AnswerOf<O>>> {
  const entries = Object.entries(prepared.params).map(([name, value]) => [camelName(name), value] as const);
  const url = await addressOf(connection, operation, Object.fromEntries(entries));
  const body = sentBody(operation, prepared);
  return exchange(connection, operation, { url, body, size: sizeOf(prepared), options });
}

function wireParameters(
  { params, query }: OperationShape,
  request: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const names = Object.keys({ ...params?._zod.def.shape, ...query?._zod.def.shape });
  const entries = names.map((name) => [name, request[camelName(name)]] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
