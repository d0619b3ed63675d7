import type { Scalar as ScalarNode, YAMLParseError } from "yaml";
import { type FilePlace, InputError } from "../api/client/errors.ts";
import { parseJsonData } from "./json-data.ts";

const JSON_NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

export interface StructuredText {
  readonly input: string;
  readonly path?: string | undefined;
  /** Keeps every value as text, so that `1.10` does not become a number. */
  readonly textsOnly?: boolean;
}

/**
 * Parses JSON or YAML (1.2, core schema). Numbers keep their digits: `JSON.stringify` writes `1.10` or a 64-bit
 * integer unchanged. Keys are the text as written.
 *
 * @throws {InputError} for `input`, with line and column
 */
export async function parseStructured(
  text: string,
  { input, path, textsOnly = false }: StructuredText,
): Promise<unknown> {
  if (!textsOnly && isJson(text)) return parseJsonData(text, input, path);
  // Loaded only here: most data is JSON.
  const { isScalar, parseDocument, Scalar, visit } = await import("yaml");
  const document = parseDocument(text, {
    schema: textsOnly ? "failsafe" : "core",
    intAsBigInt: true,
    prettyErrors: true,
    uniqueKeys: (a, b) => a === b || (isScalar(a) && isScalar(b) && a.source === b.source),
  });
  const [fault] = document.errors;
  if (fault) {
    throw new InputError([{ input, problem: describe(fault, path), ...placeOf(fault, path) }]);
  }
  // A scalar may be a key in one place and a value in another, so each alias becomes its own scalar.
  const named = new Map<string, Pick<ScalarNode, "value" | "source">>();
  visit(document, {
    Scalar(key, node) {
      const { anchor, value, source } = node;
      if (anchor !== undefined) named.set(anchor, { value, ...(source !== undefined && { source }) });
      node.value = key === "key" ? (source ?? value) : exactNumber(value, source);
    },
    Collection(_key, { anchor }) {
      if (anchor !== undefined) named.delete(anchor);
    },
    // The returned node is visited too.
    Alias(_key, { source: anchor }) {
      const scalar = named.get(anchor);
      return scalar && Object.assign(new Scalar(scalar.value), scalar);
    },
  });
  try {
    return withoutBigInts(document.toJS());
  } catch (cause) {
    // The aliases expand without bound.
    const place = path === undefined ? {} : { place: { file: path } };
    throw new InputError([{ input, problem: "the YAML repeats its aliases too often", ...place }], { cause });
  }
}

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The rest of the parser's message quotes the text, which may be a secret. */
function describe({ message, linePos }: YAMLParseError, path: string | undefined): string {
  const [start] = linePos ?? [];
  const place = start ? `line ${start.line}, column ${start.col}: ` : "";
  const text = (message.split("\n")[0] ?? "").replace(/ at line \d+, column \d+:?$/, "");
  const what = text.startsWith("Maximum call stack") ? "is nested too deeply" : text;
  return `${path === undefined ? "" : `'${path}', `}${place}${what}`;
}

function placeOf({ linePos }: YAMLParseError, path: string | undefined): { place?: FilePlace } {
  const [start] = linePos ?? [];
  return path === undefined ? {} : { place: { file: path, ...(start && { line: start.line }) } };
}

/** Keeps a number's digits where JSON can write them; `0x1F` and `.5` become their value. */
function exactNumber(value: unknown, source: string | undefined): unknown {
  if (typeof value !== "number" && typeof value !== "bigint") return value;
  if (source === undefined || !JSON_NUMBER.test(source) || source === String(Number(value))) return value;
  return JSON.rawJSON(source);
}

function withoutBigInts(value: unknown): unknown {
  if (typeof value === "bigint") {
    return Number.isSafeInteger(Number(value)) ? Number(value) : JSON.rawJSON(String(value));
  }
  if (Array.isArray(value)) return value.map(withoutBigInts);
  if (typeof value !== "object" || value === null || JSON.isRawJSON(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutBigInts(item)]));
}
