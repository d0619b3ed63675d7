import { letOthersIn } from "../../kernel/slices.ts";

/** Time for which a text is written before other requests are answered, in milliseconds. */
const SLICE_MS = 10;
/** Levels that are divided, down to the attestations of a trail. Deeper values are written undivided. */
const LEVELS = 7;

/** The text that `JSON.stringify` returns for a large document, with other requests in between. */
export async function inputText(document: object): Promise<string> {
  let text = "";
  let begin = performance.now();
  for (const piece of pieces(document, LEVELS)) {
    text += piece;
    if (performance.now() - begin < SLICE_MS) continue;
    await letOthersIn();
    begin = performance.now();
  }
  return text;
}

function* pieces(value: unknown, levels: number): Generator<string> {
  if (levels === 0 || typeof value !== "object" || value === null || JSON.isRawJSON(value)) {
    yield JSON.stringify(value ?? null);
    return;
  }
  const isList = Array.isArray(value);
  let separator = isList ? "[" : "{";
  for (const [key, member] of Object.entries(value)) {
    if (member === undefined && !isList) continue;
    yield isList ? separator : `${separator}${JSON.stringify(key)}:`;
    yield* pieces(member, levels - 1);
    separator = ",";
  }
  const isEmpty = separator !== ",";
  yield `${isEmpty ? separator : ""}${isList ? "]" : "}"}`;
}
