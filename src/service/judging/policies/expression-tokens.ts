import { ExpressionError } from "./expression.ts";

/** A token. A word is a name, a keyword or an operator in letters. `end` follows the last token. */
export interface Token {
  type: "text" | "number" | "word" | "symbol" | "end";
  /** Texts have no quotes. */
  value: string;
  /** In characters. */
  index: number;
}

const SPACE = /\s+/y;
const WORD = /[A-Za-z_][\w.~-]*/y;
const NUMBER = /-?\d+(?:\.\d+)?(?![\w.])/y;
const SYMBOL = /==|!=|<=|>=|<|>|\(|\)|\[|\]|,/y;
/** A quoted text. A backslash escapes a quote. Other escapes such as `\d` are left to the pattern. */
const TEXT = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'/sy;

/** @throws ExpressionError */
export function tokensOf(source: string): Token[] {
  const tokens: Token[] = [];
  let index = 0;
  while (index < source.length) {
    const space = matchAt(SPACE, source, index);
    if (space) index += space[0].length;
    else {
      const { length, ...token } = tokenAt(source, index);
      tokens.push(token);
      index += length;
    }
  }
  return [...tokens, { type: "end", value: "", index: source.length }];
}

function tokenAt(source: string, index: number): Token & { length: number } {
  const text = matchAt(TEXT, source, index);
  if (text) {
    const [written, double, single = ""] = text;
    const value = (double ?? single).replace(/\\(["'\\])/g, "$1");
    return { type: "text", value, index, length: written.length };
  }
  for (const [type, pattern] of [
    ["number", NUMBER] as const,
    ["word", WORD] as const,
    ["symbol", SYMBOL] as const,
  ]) {
    const found = matchAt(pattern, source, index)?.[0];
    if (found !== undefined) return { type, value: found, index, length: found.length };
  }
  const character = String.fromCodePoint(source.codePointAt(index) ?? 0);
  throw new ExpressionError(
    character === '"' || character === "'" ? "the text has no closing quote" : `unexpected '${character}'`,
    index,
  );
}

function matchAt(pattern: RegExp, source: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(source);
}
