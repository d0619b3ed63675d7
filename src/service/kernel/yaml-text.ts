import { type Document, isNode, isScalar, LineCounter, parseDocument, visit } from "yaml";
import { isStorable } from "./storable-text.ts";

/** The most that is read of a YAML file besides its comments, in bytes. */
export const MAX_YAML_BYTES = 64 * 1024;
/** The most nodes that aliases may stand for: enough for any real file, too few for a bomb. */
const MAX_ALIASES = 100;
/** Aliases and anchors that are read at all, before it is known what they stand for: reading many is slow. */
const MAX_INDICATORS = 1_000;
/** Brackets and braces that may be open at a time; what is read here needs six. */
const MAX_NESTING = 50;

export class YamlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "YamlError";
  }
}

export interface YamlText {
  readonly content: unknown;
  /** `line 7, column 12`. Undefined when the path has no text, or it came through an alias. */
  placeOf(path: readonly (string | number)[], character?: number): string | undefined;
}

/** @throws YamlError */
export function readYaml(file: string, what: string): YamlText {
  // It is kept as it was written, comments and all.
  if (!isStorable(file)) throw new YamlError(`${what} may not hold NUL characters`);
  // The lines stay, so that places can be told. What is read here has no texts in which such a line means anything.
  const text = file.replace(/^[ \t]*#.*$/gm, "");
  if (Buffer.byteLength(text) > MAX_YAML_BYTES) {
    throw new YamlError(`${what} may hold up to ${MAX_YAML_BYTES / 1024} kB besides its comments`);
  }
  if (indicatorsIn(text) > MAX_INDICATORS)
    throw new YamlError(`${what} may use up to ${MAX_INDICATORS} aliases and anchors`);
  if (nestingOf(text) > MAX_NESTING) throw new YamlError("The YAML is nested too deeply");
  try {
    return parsed(text);
  } catch (error) {
    if (error instanceof YamlError) throw error;
    throw new YamlError(`Invalid YAML: ${error instanceof Error ? error.message : error}`);
  }
}

/** How many aliases (`*a`) and anchors (`&a`) there may be; a text within quotes can count as well. */
function indicatorsIn(text: string): number {
  return text.match(/(^|[\s,[{:-])[*&][^\s]/gm)?.length ?? 0;
}

function parsed(text: string): YamlText {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    prettyErrors: false,
    uniqueKeys: false,
    lineCounter: lines,
    logLevel: "error",
  });
  const placeAt = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `line ${line}, column ${col}`;
  };
  const refuse = (offset: number | undefined, problem: string) => {
    if (offset !== undefined) throw new YamlError(`Invalid YAML at ${placeAt(offset)}: ${problem}`);
  };
  const [error] = document.errors;
  if (error) refuse(error.pos[0], error.message);
  refuse(unstorableText(document), "The text holds NUL, or is not Unicode");
  refuse(repeatedKey(document), "Map keys must be unique");
  return {
    content: document.toJS({ maxAliasCount: MAX_ALIASES }),
    placeOf(path, character = 0) {
      const offset = offsetOf(document, text, path, character);
      return offset === undefined ? undefined : placeAt(offset);
    },
  };
}

/** Where a text stands that no database keeps: an escape can write what the file itself may not hold. */
function unstorableText(document: Document): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Scalar(_, { value, range }) {
      if (typeof value !== "string" || isStorable(value)) return undefined;
      offset = range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return offset;
}

/** Where a key stands that its map has already. The parser compares each with all before it, which takes too long. */
function repeatedKey(document: Document): number | undefined {
  let offset: number | undefined;
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) {
          offset = key.range?.[0] ?? 0;
          return visit.BREAK;
        }
        keys.add(key.value);
      }
      return undefined;
    },
  });
  return offset;
}

function offsetOf(
  document: Document,
  text: string,
  path: readonly (string | number)[],
  character: number,
): number | undefined {
  const node = document.getIn(path, true);
  if (!isNode(node) || !node.range) return undefined;
  const [start, end] = node.range;
  const value = "value" in node ? node.value : undefined;
  // A value that stands in the text as it is can be pointed into; one that is folded or escaped only at its start.
  const at = typeof value === "string" ? text.slice(start, end).indexOf(value) : -1;
  return at < 0 ? start : start + at + character;
}

/** How deep flow collections or indentation can nest at most; counted before the parser recurses into them. */
function nestingOf(text: string): number {
  let open = 0;
  let deepest = 0;
  for (const line of text.split("\n")) {
    // A sequence in a sequence needs no indentation: `- - - x`.
    const compact = /^[\s\-?:]*/.exec(line)?.[0].replace(/\s+/g, "").length ?? 0;
    for (const character of line) {
      if (character === "[" || character === "{") open++;
      else if (character === "]" || character === "}") open = Math.max(0, open - 1);
      deepest = Math.max(deepest, open + compact);
    }
  }
  return deepest;
}
