import { letOthersIn } from "../kernel/slices.ts";

/** Lists of a body by name, each in slices. */
export type StreamedLists = Readonly<Record<string, AsyncIterable<unknown> | undefined>>;

/**
 * A JSON object of which some lists are made only while they are sent: a slice is asked for when the reader has taken
 * the one before. A reader that never reads costs nothing but its connection.
 *
 * @param wire gives an object the names of the wire
 */
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
  const rest = Object.entries(Object(body)).filter(([name]) => lists[name] === undefined);
  yield JSON.stringify(wire(Object.fromEntries(rest))).slice(0, -1);
  let separator = rest.length === 0 ? "" : ",";
  for (const [name, slices] of Object.entries(lists)) {
    if (!slices) continue;
    const [wireName = name] = Object.keys(Object(wire({ [name]: [] })));
    yield `${separator}${JSON.stringify(wireName)}:[`;
    separator = ",";
    let comma = "";
    for await (const slice of slices) {
      const [items] = Object.values(Object(wire({ [name]: slice })));
      const text = JSON.stringify(items).slice(1, -1);
      if (text !== "") yield comma + text;
      if (text !== "") comma = ",";
      await letOthersIn();
    }
    yield "]";
  }
  yield "}";
}
