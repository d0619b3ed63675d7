import { readFileSync } from "node:fs";
import { parseSync } from "rolldown/utils";

/** A text that a person reads in a source: a comment, or a string with a sentence in it. */
export interface CodeText {
  readonly line: number;
  readonly text: string;
  readonly isComment: boolean;
}

interface Literal {
  readonly type: string;
  readonly start: number;
  readonly value?: unknown;
  readonly quasis?: readonly { readonly value: { readonly cooked: string } }[];
}

/** Four words in a row. */
const SENTENCE = /[A-Za-z'’-]+(?:[ ,]+[A-Za-z'’`-]+){3}/;

/** Returns the comments of a TypeScript file and its strings that are sentences. `${…}` becomes `X`. */
export function codeTexts(path: URL): CodeText[] {
  const source = readFileSync(path, "utf8");
  const { program, comments, errors } = parseSync(path.pathname, source);
  if (errors.length > 0) throw new Error(`${path.pathname}: ${errors[0]?.message}`);
  const found = comments.map(({ start, value }) => ({ start, text: inOneLine(value), isComment: true }));
  for (const { start, value, quasis } of literalsIn(program)) {
    const text = quasis?.map(({ value: { cooked } }) => cooked).join("X") ?? value;
    if (typeof text === "string" && SENTENCE.test(text)) found.push({ start, text, isComment: false });
  }
  return found.map(({ start, ...text }) => ({ line: source.slice(0, start).split("\n").length, ...text }));
}

function inOneLine(comment: string): string {
  return comment
    .replace(/^\s*\*+ ?/gm, " ")
    .replace(/\s+/g, " ")
    .trim();
}

function* literalsIn(value: unknown): Generator<Literal> {
  if (typeof value !== "object" || value === null) return;
  if (isLiteral(value)) yield value;
  for (const child of Object.values(value)) yield* literalsIn(child);
}

function isLiteral(value: object): value is Literal {
  return "type" in value && (value.type === "Literal" || value.type === "TemplateLiteral");
}
