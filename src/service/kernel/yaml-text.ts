import { type Document, isNode, isScalar, LineCounter, parseDocument, visit } from "yaml";
import { isStorable } from "./storable-text.ts";

/** Maximum size of a YAML file without its comments, in bytes. */
export const MAX_YAML_BYTES = 64 * 1024;
/** Maximum number of nodes from aliases: enough for real files, too few for a bomb. */
const MAX_ALIASES = 100;
/** Maximum number of aliases and anchors, checked before they are expanded because reading many is slow. */
const MAX_INDICATORS = 1_000;
/** Maximum depth of open brackets and braces; the files read here need six. */
const MAX_NESTING = 50;

export class YamlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "YamlError";
  }
}

export interface YamlText {
  readonly content: unknown;
  /** `line 7, column 12`. Undefined if the path has no text or came from an alias. */
  placeOf(path: readonly (string | number)[], character?: number): string | undefined;
}

/** @throws YamlError */
export function readYaml(file: string, what: string): YamlText {
  // The file is stored as written, including comments.
  if (!isStorable(file)) throw new YamlError(`${what} must not contain NUL characters`);
  // Line breaks are kept for positions. In the files read here, no text has meaningful lines of this form.
  const text = file.replace(/^[ \t]*#.*$/gm, "");
  if (Buffer.byteLength(text) > MAX_YAML_BYTES) {
    throw new YamlError(`${what} may have at most ${MAX_YAML_BYTES / 1024} kB, not counting comments`);
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

/** Upper bound of aliases (`*a`) and anchors (`&a`); matching text within quotes counts too. */
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
  refuse(unstorableText(document), "The text contains NUL or is not valid Unicode");
  refuse(repeatedKey(document), "Map keys must be unique");
  return {
    content: document.toJS({ maxAliasCount: MAX_ALIASES }),
    placeOf(path, character = 0) {
      const offset = offsetOf(document, text, path, character);
      return offset === undefined ? undefined : placeAt(offset);
    },
  };
}

/** Offset of a text that databases refuse. An escape can write a character that the file itself may not contain. */
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

/** Offset of a repeated key. The parser compares each key with all before it, which takes too long. */
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
  // A value that appears verbatim gets an exact position; one that is folded or escaped only that of its start.
  const at = typeof value === "string" ? text.slice(start, end).indexOf(value) : -1;
  return at < 0 ? start : start + at + character;
}

/** Upper bound of the nesting of flow collections or indentation, counted before the parser recurses. */
function nestingOf(text: string): number {
  let open = 0;
  let deepest = 0;
  for (const line of text.split("\n")) {
    // A nested sequence needs no indentation: `- - - x`.
    const compact = /^[\s\-?:]*/.exec(line)?.[0].replace(/\s+/g, "").length ?? 0;
    for (const character of line) {
      if (character === "[" || character === "{") open++;
      else if (character === "]" || character === "}") open = Math.max(0, open - 1);
      deepest = Math.max(deepest, open + compact);
    }
  }
  return deepest;
}
