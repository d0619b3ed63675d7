import { isStorable } from "../../kernel/storable-text.ts";
import { canonicalName, GROUP_SCHEMA, USER_SCHEMA } from "./attributes.ts";
import { invalid, type ScimProblem, type ScimType } from "./problem.ts";

/*
 * Filters and paths of RFC 7644, as far as identity providers send them: comparisons with `eq`, joined by `and`. The
 * package scim2-parse-filter misreads backslashes and takes exponential time for some texts.
 */

/** The target of an operation: `name.givenName`, or `emails[type eq "work"].value`. */
export interface Path {
  /** Names of attributes from the outside in, in canonical form. The first may be the URN of an extension. */
  readonly steps: readonly string[];
  /** Selects values of the attribute. */
  readonly where?: readonly Condition[];
  /** Attribute of the selected values. */
  readonly inner?: string;
}

export interface Condition {
  readonly path: Path;
  readonly value: string | number | boolean | null;
}

const MOST_CHARACTERS = 4_096;

/** @throws ScimProblem */
export function filterIn(text: string): readonly Condition[] {
  return new Reader(text, "invalidFilter").conditions(undefined);
}

/** @throws ScimProblem */
export function pathIn(text: string): Path {
  const reader = new Reader(text, "invalidPath");
  const path = reader.path();
  reader.end();
  return path;
}

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[[\]()]|[^\s"[\]()]+)/y;
const NAME = /^[a-z$][\w$-]*$/i;

class Reader {
  readonly #tokens: readonly string[];
  readonly #text: string;
  readonly #type: ScimType;
  #at = 0;

  constructor(text: string, type: ScimType) {
    this.#text = text;
    this.#type = type;
    if (text.length > MOST_CHARACTERS || !isStorable(text)) throw this.#problem("it is too long or not text");
    const tokens: string[] = [];
    const rest = text.trimEnd();
    for (TOKEN.lastIndex = 0; TOKEN.lastIndex < rest.length; ) {
      const [, token] = TOKEN.exec(rest) ?? [];
      if (token === undefined) throw this.#problem("a quote is not closed");
      tokens.push(token);
    }
    this.#tokens = tokens;
  }

  conditions(end: string | undefined): Condition[] {
    const found = [this.#condition()];
    while (this.#peek()?.toLowerCase() === "and") {
      this.#at++;
      found.push(this.#condition());
    }
    if (this.#peek() !== end)
      throw this.#problem("only comparisons with 'eq', joined by 'and', are supported");
    this.#at++;
    return found;
  }

  path(): Path {
    const steps = this.#steps(this.#next());
    if (this.#peek() !== "[") return { steps };
    this.#at++;
    const where = this.conditions("]");
    const inner = this.#peek();
    if (inner === undefined || !inner.startsWith(".")) return { steps, where };
    this.#at++;
    return { steps, where, inner: canonicalName(this.#name(inner.slice(1))) };
  }

  end(): void {
    if (this.#peek() !== undefined) throw this.#problem(`'${this.#peek()}' is not expected there`);
  }

  #condition(): Condition {
    const path = this.path();
    const operator = this.#next();
    if (operator.toLowerCase() !== "eq") throw this.#problem(`the operator '${operator}' is not supported`);
    const literal = this.#next();
    const value = parsed(literal);
    if (value === undefined) throw this.#problem(`${literal} is not a value`);
    return { path, value };
  }

  /** Names of the core schemas are optional. Others are the first step. */
  #steps(text: string): string[] {
    const [, urn, rest] = /^(urn:.+:\d[\d.]*:\w+)(?::(.+))?$/i.exec(text) ?? [];
    const local = urn === undefined ? text : rest;
    const names = (local?.split(".") ?? []).map((name) => canonicalName(this.#name(name)));
    if (urn === undefined) return names;
    const isCore = [USER_SCHEMA, GROUP_SCHEMA].some((core) => core.toLowerCase() === urn.toLowerCase());
    return isCore ? names : [canonicalName(urn), ...names];
  }

  #name(text: string): string {
    if (!NAME.test(text)) throw this.#problem(`'${text}' is not the name of an attribute`);
    return text;
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at];
  }

  #next(): string {
    const token = this.#peek();
    if (token === undefined) throw this.#problem("it is incomplete");
    this.#at++;
    return token;
  }

  #problem(why: string): ScimProblem {
    const what = this.#type === "invalidPath" ? "path" : "filter";
    return invalid(this.#type, `The ${what} ${this.#text.slice(0, 200)} cannot be read: ${why}`);
  }
}

function parsed(literal: string): Condition["value"] | undefined {
  if (/^(true|false|null)$/i.test(literal)) return JSON.parse(literal.toLowerCase());
  try {
    const value: unknown = JSON.parse(literal);
    const isText = typeof value === "string" && isStorable(value);
    return isText || typeof value === "number" ? value : undefined;
  } catch {
    return undefined;
  }
}
