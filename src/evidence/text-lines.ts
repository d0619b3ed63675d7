import { ReportFault } from "./report-fault.ts";
import { decoderFor, type TextParts } from "./text-encoding.ts";

/** Far longer than any line of a report. */
const MAX_LINE_CHARACTERS = 16 * 1024 * 1024;

/**
 * The lines of a text, from parts of its bytes.
 *
 * @throws ReportFault when the bytes are not text, or a line is beyond all bounds
 */
export async function* linesIn(parts: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let decoder: TextParts | undefined;
  let rest = "";
  for await (const part of parts) {
    decoder ??= decoderFor(part);
    const lines = (rest + decoder.decode(part)).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_CHARACTERS)
      throw new ReportFault(`has a line longer than ${MAX_LINE_CHARACTERS} characters`);
    for (const line of lines) yield line.replace(/\r$/, "");
  }
  rest += decoder?.end() ?? "";
  if (rest !== "") yield rest;
}
