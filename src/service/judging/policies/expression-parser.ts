import { type Comparison, type Condition, ExpressionError, type Operand } from "./expression.ts";
import { type Token, tokensOf } from "./expression-tokens.ts";

/** In characters. */
export const MAX_EXPRESSION_LENGTH = 10_000;
/** Open brackets. */
const MAX_NESTING = 50;

const COMPARISONS: readonly string[] = ["==", "!=", "<", ">", "<=", ">="] satisfies Comparison[];
const TAG_PREFIX = "flow.tags.";
const USER_DATA_PREFIX = "attestation.user_data.";
const NAMES = ["flow.name", "flow.tags.<key>", "artifact.name", "artifact.fingerprint"];
/** Records that `must_meet` can check. */
const RECORDS = ["artifact", "attestation"] as const;

/** The record of `must_meet`; undefined in an `if`. */
export type Subject = (typeof RECORDS)[number] | undefined;

/**
 * Parses the policy form `${{ … }}`. Also returns its trimmed content and the index of that content.
 *
 * @param about the record whose facts it may use
 * @throws ExpressionError
 */
export function parseEnclosed(
  text: string,
  about?: Subject,
): { text: string; condition: Condition; start: number } {
  const [, before = "", inner] = /^(\s*\$\{\{)(.*)\}\}\s*$/s.exec(text) ?? [];
  if (inner === undefined) throw new ExpressionError("an expression must have the form ${{ … }}", 0);
  try {
    return { text: inner.trim(), condition: parseExpression(inner, about), start: before.length };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw new ExpressionError(error.message, before.length + error.index);
  }
}

/** Precedence, tightest first: comparisons and `in`, `not`, `and`, `or`. @throws ExpressionError */
export function parseExpression(text: string, about?: Subject): Condition {
  if (text.length > MAX_EXPRESSION_LENGTH) {
    throw new ExpressionError(`an expression can have at most ${MAX_EXPRESSION_LENGTH} characters`, 0);
  }
  return new Parser(tokensOf(text), about).whole();
}

/** A parsed part. Its neighbors decide its role. */
type Part = { index: number } & (
  | { is: "condition"; condition: Condition }
  | { is: "operand"; operand: Operand }
  | { is: "list"; items: Operand[] }
  | { is: "flow" }
);

class Parser {
  readonly #tokens: readonly Token[];
  readonly #about: Subject;
  #next = 0;
  #open = 0;

  constructor(tokens: readonly Token[], about: Subject) {
    this.#tokens = tokens;
    this.#about = about;
  }

  whole(): Condition {
    const part = this.#either();
    const { type, value, index } = this.#peek();
    if (type !== "end") throw new ExpressionError(`unexpected '${value}'`, index);
    return conditionOf(part);
  }

  #either(): Part {
    return this.#chain("or", () => this.#chain("and", () => this.#negation()));
  }

  #chain(kind: "and" | "or", operand: () => Part): Part {
    const first = operand();
    if (!this.#sees(kind)) return first;
    const conditions = [conditionOf(first)];
    while (this.#takes(kind)) conditions.push(conditionOf(operand()));
    return { is: "condition", index: first.index, condition: { kind, conditions } };
  }

  #negation(): Part {
    const { index } = this.#peek();
    let times = 0;
    while (this.#takes("not")) times++;
    const part = this.#comparison();
    if (times === 0) return part;
    const condition = conditionOf(part);
    return { is: "condition", index, condition: times % 2 === 0 ? condition : { kind: "not", condition } };
  }

  #comparison(): Part {
    const left = this.#primary();
    const { value, type } = this.#peek();
    if (type === "symbol" && isComparison(value)) {
      this.#next++;
      const right = operandOf(this.#primary());
      const condition: Condition = { kind: "compare", by: value, left: operandOf(left), right };
      return { is: "condition", index: left.index, condition };
    }
    const negated = this.#sees("not");
    if (negated && this.#tokens[this.#next + 1]?.value !== "in") {
      throw new ExpressionError("unexpected 'not'", this.#peek().index);
    }
    if (negated) this.#next++;
    if (!this.#takes("in")) return left;
    const membership: Condition = { kind: "in", item: operandOf(left), list: this.#listAfterIn() };
    const condition: Condition = negated ? { kind: "not", condition: membership } : membership;
    return { is: "condition", index: left.index, condition };
  }

  #listAfterIn(): Operand[] {
    const right = this.#primary();
    if (right.is !== "list")
      throw new ExpressionError("'in' must be followed by a list such as ['a', 'b']", right.index);
    return right.items;
  }

  #primary(): Part {
    const { type, value, index } = this.#take();
    if (type === "text") return { is: "operand", index, operand: { kind: "text", value } };
    if (type === "number") return { is: "operand", index, operand: { kind: "number", value: Number(value) } };
    if (value === "(") return this.#enclosed(index, ")", () => this.#either());
    if (value === "[") {
      return this.#enclosed(index, "]", () => ({ is: "list", index, items: this.#items() }));
    }
    if (type === "word" && this.#sees("(", "symbol")) return this.#call(value, index);
    if (type === "word") return named(value, index, this.#about);
    throw new ExpressionError(
      type === "end" ? "the expression is incomplete" : `unexpected '${value}'`,
      index,
    );
  }

  #enclosed(index: number, closing: string, content: () => Part): Part {
    if (++this.#open > MAX_NESTING) throw new ExpressionError("the expression is nested too deeply", index);
    const part = content();
    this.#expect(closing);
    this.#open--;
    return { ...part, index };
  }

  #items(): Operand[] {
    if (this.#sees("]", "symbol")) return [];
    const items = [operandOf(this.#primary())];
    while (this.#takes(",", "symbol")) items.push(operandOf(this.#primary()));
    return items;
  }

  #call(name: string, index: number): Part {
    this.#expect("(");
    const condition = name === "exists" ? this.#exists() : name === "matches" ? this.#matches() : undefined;
    if (!condition) throw new ExpressionError(`unknown function '${name}': use exists or matches`, index);
    this.#expect(")");
    return { is: "condition", index, condition };
  }

  #exists(): Condition {
    const part = this.#primary();
    return { kind: "exists", what: part.is === "flow" ? { kind: "flow" } : operandOf(part) };
  }

  #matches(): Condition {
    const input = operandOf(this.#primary());
    this.#expect(",");
    const { index } = this.#peek();
    const pattern = operandOf(this.#primary());
    if (pattern.kind !== "text") throw new ExpressionError("the pattern must be a quoted text", index);
    return { kind: "matches", input, pattern: pattern.value, index };
  }

  #peek(): Token {
    const token = this.#tokens[this.#next];
    if (!token) throw new RangeError("There is no token after the end");
    return token;
  }

  #take(): Token {
    const token = this.#peek();
    this.#next++;
    return token;
  }

  #sees(value: string, type: Token["type"] = "word"): boolean {
    const token = this.#peek();
    return token.type === type && token.value === value;
  }

  #takes(value: string, type: Token["type"] = "word"): boolean {
    const seen = this.#sees(value, type);
    if (seen) this.#next++;
    return seen;
  }

  #expect(symbol: string): void {
    const { index, type, value } = this.#peek();
    if (this.#takes(symbol, "symbol")) return;
    throw new ExpressionError(
      `expected '${symbol}' ${type === "end" ? "at the end" : `before '${value}'`}`,
      index,
    );
  }
}

function named(name: string, index: number, about: Subject): Part {
  if (name === "flow") return { is: "flow", index };
  if (name === "flow.name" || name === "artifact.name" || name === "artifact.fingerprint") {
    return { is: "operand", index, operand: { kind: "context", name } };
  }
  if (name.startsWith(TAG_PREFIX) && name.length > TAG_PREFIX.length) {
    return { is: "operand", index, operand: { kind: "tag", key: name.slice(TAG_PREFIX.length) } };
  }
  for (const record of RECORDS) {
    const operand = recordOperand(name, record);
    if (operand && record === about) return { is: "operand", index, operand };
    if (operand) {
      const rule = record === "artifact" ? "provenance" : "an attestation";
      throw new ExpressionError(`'${name}' can only be used in must_meet of ${rule}`, index);
    }
  }
  const ofRecord = about ? [`${about}.origin`, `${about}.claims.<claim>`] : [];
  const ofData = about === "attestation" ? [`${USER_DATA_PREFIX}<key>`] : [];
  const names = [...NAMES, ...ofRecord, ...ofData];
  throw new ExpressionError(
    `unknown name '${name}': use ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`,
    index,
  );
}

function recordOperand(name: string, record: (typeof RECORDS)[number]): Operand | undefined {
  if (name === `${record}.origin`) return { kind: "context", name: "origin" };
  const prefix = `${record}.claims.`;
  if (name.startsWith(prefix) && name.length > prefix.length) {
    return { kind: "claim", key: name.slice(prefix.length) };
  }
  if (record !== "attestation" || !name.startsWith(USER_DATA_PREFIX)) return undefined;
  const path = name.slice(USER_DATA_PREFIX.length);
  return path === "" ? undefined : { kind: "user-data", path };
}

function conditionOf(part: Part): Condition {
  if (part.is === "condition") return part.condition;
  throw new ExpressionError("the value must be true or false: compare it with another one", part.index);
}

function operandOf(part: Part): Operand {
  if (part.is === "operand") return part.operand;
  const what = { condition: "a condition", list: "a list", flow: "a whole flow" }[part.is];
  throw new ExpressionError(`expected text, a number or a name, not ${what}`, part.index);
}

function isComparison(symbol: string): symbol is Comparison {
  return COMPARISONS.includes(symbol);
}
