import type { OperationShape } from "../operation.ts";
import { camelName } from "../wire-names.ts";
import {
  addressOf,
  type BodyParts,
  type CallOptions,
  exchange,
  partsOf,
  type Reply,
  sentBody,
  sizeOf,
} from "./call.ts";
import type { Connection } from "./connection.ts";

/*
 * A call in two steps, for what is kept before it is sent: what was prepared is sent as it is, by whichever process,
 * and so a service knows it again.
 */

/** A request as it goes over the wire, apart from where to and as whom. */
export interface Prepared extends BodyParts {
  readonly params: Readonly<Record<string, unknown>>;
}

/**
 * Makes a request ready to be kept or sent.
 *
 * @param request what `call` takes for the operation
 * @throws {InputError} when it cannot be right
 */
export async function prepare(
  connection: Connection,
  operation: OperationShape,
  request: Readonly<Record<string, unknown>>,
): Promise<Prepared> {
  // The same faults are found in the same order as when it is sent at once.
  await addressOf(connection, operation, request);
  return { params: wireParameters(operation, request), ...(await partsOf(operation, request)) };
}

/** Throws as `call` does. */
export async function sendPrepared<O extends OperationShape>(
  connection: Connection,
  operation: O,
  prepared: Prepared,
  options: CallOptions = {},
): Promise<Reply<O>> {
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
