import { invalidInput } from "./errors.ts";
import { endOfString, parseExactJson, TooManyExactNumbers } from "./exact-json.ts";
import { maySayUnstorable, unstorableTexts } from "./storable-text.ts";

/** @throws Invalid when the bytes are not UTF-8 */
export function decodeUtf8(bytes: Uint8Array, field: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidInput({ [field]: "Input should be valid UTF-8 text" });
  }
}

/** @throws Invalid, without the text because it may contain secrets */
export function parseJson(text: string, field: string): unknown {
  if (text.trim() === "") throw invalidInput({ [field]: "Field required [input: None]" });
  const tooMuch = whyTooMuch(text);
  if (tooMuch !== undefined) throw invalidInput({ [field]: tooMuch }, { code: "request.json_too_complex" });
  const value = parsedJson(text, field);
  if (maySayUnstorable(text)) {
    const { errors, count } = unstorableTexts(value);
    if (count > 0) throw invalidInput(errors, { count });
  }
  return value;
}

function parsedJson(text: string, field: string): unknown {
  try {
    return parseExactJson(text, MAX_EXACT_NUMBERS);
  } catch (error) {
    if (error instanceof TooManyExactNumbers) {
      const problem = `The JSON has too many numbers written as 1.10, 1e3 or with 16 digits; the limit is ${MAX_EXACT_NUMBERS}`;
      throw invalidInput({ [field]: problem }, { code: "request.json_too_complex" });
    }
    const [, line, column] = /line (\d+) column (\d+)/.exec(String(error)) ?? [];
    const place = line === undefined ? "" : `, error at line ${line}, column ${column}`;
    throw invalidInput({ [field]: `Input should be valid JSON${place}` }, { code: "request.json_invalid" });
  }
}

/** Writing deeper data could overflow the stack. Data written by people is far less deep. */
const MAX_NESTING = 500;

/**
 * A report of 150,000 pods has fewer. This many take a second to parse, which blocks all other requests, and 200 MB.
 */
const MAX_VALUES = 4_000_000;

/** Each takes as much memory as an object, and as much time to check. */
const MAX_EXACT_NUMBERS = 100_000;

/** Counted before parsing, because `JSON.parse` and JavaScript parsers have no such limits. */
function whyTooMuch(json: string): string | undefined {
  let depth = 0;
  // An upper bound: an empty list is counted as if it had a value.
  let values = 1;
  for (let i = 0; i < json.length; i++) {
    const character = json[i];
    if (character === '"') i = endOfString(json, i);
    else if (character === ",") values++;
    else if (character === "[" || character === "{") {
      depth++;
      values++;
    } else if (character === "]" || character === "}") depth--;
    if (depth > MAX_NESTING) return "The JSON is nested too deeply";
    if (values > MAX_VALUES) return `The JSON has too many values; the limit is ${MAX_VALUES}`;
  }
  return undefined;
}
