import { InputError } from "../api/client/errors.ts";
import { readTextFile } from "../evidence/file-to-send.ts";
import { parseStructured } from "../evidence/structured-data.ts";

interface DataInput {
  readonly input: string;
  readonly workspace: string;
  /** Keeps every value as text. */
  readonly textsOnly?: boolean;
}

/**
 * Data of an input: JSON or YAML, or the path of a file if the text is a single word.
 *
 * @throws {InputError} when it cannot be read
 */
export async function readRequestData(text: string, given: DataInput): Promise<unknown> {
  const own = await parseStructured(text, given);
  if (typeof own !== "string") return own;
  const path = own.trim();
  const content = await readTextFile(path, given);
  return parseStructured(content, { ...given, path });
}

/**
 * A mapping of parameter names to text or a list of text values.
 *
 * @throws {InputError} for anything else
 */
export async function readParameters(text: string, given: Omit<DataInput, "textsOnly">) {
  const data = await readRequestData(text, { ...given, textsOnly: true });
  const problem = (what: string) => new InputError([{ input: given.input, problem: what }]);
  if (typeof data !== "object" || data === null || Array.isArray(data)) {
    throw problem("must be a mapping of names to values, such as flow_name: web");
  }
  const parameters: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(data)) {
    // An empty value comes from an empty expression.
    if (value === "") continue;
    const texts: unknown[] = Array.isArray(value) ? value : [value];
    if (!texts.every((item) => typeof item === "string")) {
      throw problem(`'${name}' must be text, a number, or a list of texts and numbers`);
    }
    parameters[name] = typeof value === "string" ? value : texts;
  }
  return parameters;
}
