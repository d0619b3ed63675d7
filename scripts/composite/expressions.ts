import { data, Evaluator, Lexer, Parser } from "@actions/expressions";

/** A value in a context of GitHub's expressions. */
export type ContextValue =
  | null
  | boolean
  | number
  | string
  | readonly ContextValue[]
  | { readonly [key: string]: ContextValue };

/** The contexts of an expression by name, and the status of the earlier steps. */
export interface Scope {
  contexts: Readonly<Record<string, ContextValue>>;
  /** Omitted where GitHub has no status functions, as in an input's default. */
  status?: { failed: boolean; cancelled: boolean };
}

interface ExpressionFunction {
  name: string;
  minArgs: number;
  maxArgs: number;
  call: () => data.ExpressionData;
}

const STATUS_FUNCTIONS = ["success", "failure", "always", "cancelled"];

/**
 * Evaluates one expression, without its `${{ }}`.
 *
 * @throws the errors of GitHub's parser: an unknown context or function, a syntax error
 */
function evaluate(expression: string, { contexts, status }: Scope): data.ExpressionData {
  const functions = status === undefined ? [] : statusFunctions(status);
  const { tokens } = new Lexer(expression).lex();
  const tree = new Parser(tokens, Object.keys(contexts), functions).parse();
  if (tree === undefined) throw new Error("Expected an expression");
  const known = new Map(functions.map((known) => [known.name, known]));
  return new Evaluator(tree, dictionary(contexts), known).evaluate();
}

/**
 * Replaces each `${{ expression }}` in a text with its value.
 *
 * @throws when an expression cannot be evaluated, is not closed, or has an object or array as its value
 */
export function fillTemplate(text: string, scope: Scope): string {
  let filled = "";
  let rest = text;
  for (let start = rest.indexOf("${{"); start >= 0; start = rest.indexOf("${{")) {
    const end = expressionEnd(rest, start + 3);
    const value = evaluate(rest.slice(start + 3, end).trim(), scope);
    const alone = filled === "" && start === 0 && end + 2 === rest.length;
    if (alone && !value.primitive) {
      throw new Error(`A ${value.coerceString().toLowerCase()} was not expected: ${text}`);
    }
    filled += rest.slice(0, start) + value.coerceString();
    rest = rest.slice(end + 2);
  }
  return filled + rest;
}

/**
 * Evaluates an `if:`. As in a workflow, the braces are optional, and a condition without a status
 * function is true only while every step before it succeeded.
 */
export function conditionHolds(condition: string, scope: Scope): boolean {
  const expression = withoutBraces(condition.trim());
  if (expression === "") return evaluate("success()", scope).coerceString() === "true";
  const full = asksForStatus(expression) ? expression : `success() && (${expression})`;
  return evaluate(`!!(${full})`, scope).coerceString() === "true";
}

function withoutBraces(condition: string): string {
  if (!condition.includes("${{")) return condition;
  if (condition.startsWith("${{") && expressionEnd(condition, 3) + 2 === condition.length) {
    return condition.slice(3, -2).trim();
  }
  // GitHub turns such a condition into a text, which is always true, and never intended.
  throw new Error(`A condition must be one expression: ${condition}`);
}

function asksForStatus(expression: string): boolean {
  const { tokens } = new Lexer(expression).lex();
  return tokens.some(
    ({ lexeme }, at) => STATUS_FUNCTIONS.includes(lexeme.toLowerCase()) && tokens[at + 1]?.lexeme === "(",
  );
}

function statusFunctions({ failed, cancelled }: { failed: boolean; cancelled: boolean }) {
  const answers = { success: !failed && !cancelled, failure: failed, always: true, cancelled };
  return Object.entries(answers).map(
    ([name, answer]): ExpressionFunction => ({
      name,
      minArgs: 0,
      maxArgs: 0,
      call: () => new data.BooleanData(answer),
    }),
  );
}

/** Index of the `}}` that ends an expression, outside of quoted strings. */
function expressionEnd(text: string, from: number): number {
  let quoted = false;
  for (let at = from; at < text.length; at++) {
    if (text[at] === "'") quoted = !quoted;
    else if (!quoted && text.startsWith("}}", at)) return at;
  }
  throw new Error(`The expression is not closed: ${text}`);
}

function expressionData(value: ContextValue): data.ExpressionData {
  if (value === null) return new data.Null();
  if (typeof value === "string") return new data.StringData(value);
  if (typeof value === "number") return new data.NumberData(value);
  if (typeof value === "boolean") return new data.BooleanData(value);
  return isList(value) ? new data.Array(...value.map(expressionData)) : dictionary(value);
}

function isList(value: object): value is readonly ContextValue[] {
  return Array.isArray(value);
}

function dictionary(values: Readonly<Record<string, ContextValue>>): data.Dictionary {
  return new data.Dictionary(
    ...Object.entries(values).map(([key, value]) => ({ key, value: expressionData(value) })),
  );
}
