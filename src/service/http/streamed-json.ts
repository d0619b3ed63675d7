import type { ServerResponse } from "node:http";
import { letOthersIn } from "../kernel/slices.ts";

/** Lists of a body by name, each in slices, or the slices of a body that is a list. */
export type StreamedLists =
  | AsyncIterable<unknown>
  | Readonly<Record<string, AsyncIterable<unknown> | undefined>>;

export function isList(lists: StreamedLists): lists is AsyncIterable<unknown> {
  return Symbol.asyncIterator in lists;
}

/** Reads the next slice when the client has read the previous one. */
export function streamedJson(
  body: unknown,
  lists: StreamedLists,
  wire: (value: unknown) => unknown,
): ReadableStream<Uint8Array> {
  return ReadableStream.from(pieces(body, lists, wire)).pipeThrough(new TextEncoderStream());
}

async function* pieces(
  body: unknown,
  lists: StreamedLists,
  wire: (value: unknown) => unknown,
): AsyncGenerator<string> {
  if (isList(lists)) {
    yield* items(lists, wire);
    return;
  }
  const rest = Object.entries(Object(body)).filter(([name]) => lists[name] === undefined);
  yield JSON.stringify(wire(Object.fromEntries(rest))).slice(0, -1);
  let separator = rest.length === 0 ? "" : ",";
  for (const [name, slices] of Object.entries(lists)) {
    if (!slices) continue;
    const [wireName = name] = Object.keys(Object(wire({ [name]: [] })));
    yield `${separator}${JSON.stringify(wireName)}:`;
    separator = ",";
    yield* items(slices, (slice) => Object.values(Object(wire({ [name]: slice })))[0]);
  }
  yield "}";
}

async function* items(
  slices: AsyncIterable<unknown>,
  wire: (slice: unknown) => unknown,
): AsyncGenerator<string> {
  yield "[";
  let comma = "";
  for await (const slice of slices) {
    const text = JSON.stringify(wire(slice)).slice(1, -1);
    if (text !== "") yield comma + text;
    if (text !== "") comma = ",";
    await letOthersIn();
  }
  yield "]";
}

/** Streams a body. After a failure the connection is closed, because the adapter would send the error to the client. */
export function sentStream(
  body: ReadableStream<Uint8Array>,
  outgoing: Pick<ServerResponse, "destroy">,
  failed: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        failed(error);
        outgoing.destroy();
        controller.close();
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
