export interface JsonFault {
  readonly line: number;
  readonly column: number;
  readonly problem: string;
}

/** Far below the depth at which the parser overflows the stack. */
const MAX_NESTING = 500;

const SPACE = /[ \t\r\n]*/y;
const SCALAR = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const WORD = /[^\s,:[\]{}"]{1,30}|[^\s]/uy;

/**
 * The first syntax error or repeated name. `JSON.parse` often has no position, and keeps the last of two equal names.
 * `jsonc-parser` does not report repeated names, has no depth limit, and reports errors as codes.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  try {
    new Scanner(text).scan();
    return undefined;
  } catch (fault) {
    if (fault instanceof Fault) return { ...positionOf(text, fault.offset), problem: fault.message };
    throw fault;
  }
}

class Fault extends Error {
  readonly offset: number;

  constructor(offset: number, problem: string) {
    super(problem);
    this.offset = offset;
  }
}

function positionOf(text: string, offset: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", start)) {
    line += 1;
    start = at + 1;
  }
  let column = 1;
  // Counted in place: tools write tens of megabytes in one line.
  for (let at = start; at < offset; at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1) column += 1;
  return { line, column };
}

/** `first`: the container was just opened, so it may also close. */
type Expected = "value" | "first value" | "name" | "first name" | "separator";

interface Container {
  readonly close: "}" | "]";
  readonly names: Set<string>;
}

class Scanner {
  readonly #text: string;
  readonly #open: Container[] = [];
  #at = 0;
  #expected: Expected = "value";

  constructor(text: string) {
    this.#text = text;
  }

  scan(): void {
    if (this.#text.startsWith("\ufeff"))
      throw new Fault(0, "starts with a byte order mark: save it as UTF-8 without one");
    for (;;) {
      this.#take(SPACE);
      const container = this.#open.at(-1);
      const next = this.#text[this.#at];
      if (next === undefined) {
        if (container === undefined && this.#expected === "separator") return;
        throw new Fault(this.#at, "is truncated");
      }
      const mayClose = this.#expected === "separator" || this.#expected.startsWith("first");
      if (mayClose && next === container?.close) {
        this.#at++;
        this.#open.pop();
        this.#expected = "separator";
      } else if (this.#expected === "separator") {
        this.#separator(container);
      } else if (container?.close === "}" && this.#expected !== "value") {
        this.#name(container);
      } else {
        this.#value(next);
      }
    }
  }

  #separator(container: Container | undefined): void {
    if (container === undefined) throw this.#unexpected("after the end of the JSON");
    if (this.#text[this.#at] !== ",") throw this.#unexpected(`where ',' or '${container.close}' should be`);
    this.#at++;
    this.#expected = container.close === "}" ? "name" : "value";
  }

  #name({ names }: Container): void {
    const start = this.#at;
    if (this.#text[start] !== '"') throw this.#unexpected("where a name in double quotes should be");
    this.#string();
    const name: unknown = JSON.parse(this.#text.slice(start, this.#at));
    if (names.has(String(name))) throw new Fault(start, `has the name ${JSON.stringify(name)} twice`);
    names.add(String(name));
    this.#take(SPACE);
    if (this.#text[this.#at] !== ":") throw this.#unexpected("where ':' should be");
    this.#at++;
    this.#expected = "value";
  }

  #value(next: string): void {
    if (next === "{" || next === "[") {
      if (this.#open.length === MAX_NESTING)
        throw new Fault(this.#at, `is nested deeper than ${MAX_NESTING} levels`);
      this.#at++;
      this.#open.push({ close: next === "{" ? "}" : "]", names: new Set() });
      this.#expected = next === "{" ? "first name" : "first value";
      return;
    }
    if (next === '"') this.#string();
    else if (!this.#take(SCALAR)) throw this.#unexpected("where a value should be");
    this.#expected = "separator";
  }

  #string(): void {
    this.#at++;
    for (;;) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON strings may not contain control characters
      const special = /["\\\u0000-\u001f]/g;
      special.lastIndex = this.#at;
      const found = special.exec(this.#text);
      this.#at = found?.index ?? this.#text.length;
      if (found === null) throw new Fault(this.#at, "ends inside a string");
      if (found[0] === '"') {
        this.#at++;
        return;
      }
      if (found[0] !== "\\")
        throw new Fault(this.#at, "has a line break or other control character in a string");
      if (!this.#take(ESCAPE)) throw new Fault(this.#at, "has an unknown escape in a string");
    }
  }

  /** Moves past a match; false if there is none. */
  #take(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return false;
    this.#at += found[0].length;
    return true;
  }

  #unexpected(where: string): Fault {
    WORD.lastIndex = this.#at;
    return new Fault(this.#at, `has '${WORD.exec(this.#text)?.[0] ?? ""}' ${where}`);
  }
}
