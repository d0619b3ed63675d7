import { readFileSync } from "node:fs";
import { parseSync } from "rolldown/utils";

/** A text that a person reads in a source: a comment, or a string with a sentence in it. */
export interface CodeText {
  readonly line: number;
  readonly text: string;
}

interface Literal {
  readonly type: string;
  readonly start: number;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

/** Four words in a row. */
const SENTENCE = /[A-Za-z'’-]+(?:[ ,]+[A-Za-z'’`-]+){3}/;

/** Returns the comments of a TypeScript file and, if asked, its strings that are sentences. `${…}` becomes `X`. */
export function codeTexts(path: URL, { strings }: { strings: boolean }): CodeText[] {
  const source = readFileSync(path, "utf8");
  const parsed = parseSync(path.pathname, source);
  if (parsed.errors.length > 0) throw new Error(`${path.pathname}: ${parsed.errors[0]?.message}`);
  const found = parsed.comments.map(({ start, value }) => ({ start, text: inOneLine(value) }));
  // Reading `program` takes longer than the rest.
  for (const { start, value, quasis } of strings ? literalsIn(parsed.program) : []) {
    const text = quasis?.map(({ value: { cooked } }) => cooked).join("X") ?? value;
    if (typeof text === "string" && SENTENCE.test(text)) found.push({ start, text });
  }
  return found.map(({ start, ...text }) => ({ line: source.slice(0, start).split("\n").length, ...text }));
}

function inOneLine(comment: string): string {
  return comment
    .replace(/^\s*\*+ ?/gm, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function literalsIn(value: unknown, found: Literal[] = []): Literal[] {
  if (typeof value !== "object" || value === null) return found;
  if (isLiteral(value)) found.push(value);
  for (const child of Object.values(value)) literalsIn(child, found);
  return found;
}

function isLiteral(value: object): value is Literal {
  return "type" in value && (value.type === "Literal" || value.type === "TemplateLiteral");
}
