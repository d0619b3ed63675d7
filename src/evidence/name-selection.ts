import { createContext, Script } from "node:vm";
import { InputError, type InputProblem } from "../api/client/errors.ts";

/** An input and its values. */
type Given = readonly [input: string, values: readonly string[]];

/** Names and regular expressions to include, or to exclude. */
export interface SelectionInputs {
  readonly include: Given;
  readonly includeRegex: Given;
  readonly exclude: Given;
  readonly excludeRegex: Given;
}

export interface NameSelection {
  includes(name: string): boolean;
  /** The only possible names, sorted, if all are given by name. */
  readonly exactly: readonly string[] | undefined;
  /** The names listed to include that none of these names is, since they may be misspelled. */
  missingFrom(names: readonly string[]): string[];
}

interface SelectionRules {
  /** Plural of what is selected, for messages: `namespaces`. */
  readonly things: string;
  /** Why a name cannot exist; undefined if it can. */
  readonly problemOf?: (name: string) => string | undefined;
  /** Whether a name is meant by a listed one; equality by default. */
  readonly isMeant?: (name: string, listed: string) => boolean;
}

/**
 * Selects names. A name is included if it is listed, or if an expression matches anywhere in it. Without any input, all
 * are.
 *
 * @throws {InputError} naming every wrong input
 */
export function selectNames(inputs: SelectionInputs, rules: SelectionRules): NameSelection {
  const problems: InputProblem[] = [];
  const included = namesAndPatterns(inputs.include, inputs.includeRegex, rules, problems);
  const excluded = namesAndPatterns(inputs.exclude, inputs.excludeRegex, rules, problems);
  if (included.given.length > 0 && excluded.given.length > 0) {
    const problem = `cannot be used with ${excluded.given.join(" and ")}: include ${rules.things} or exclude them`;
    problems.push(...included.given.map((input) => ({ input, problem })));
  }
  if (problems.length > 0) throw new InputError(problems);
  if (included.given.length === 0)
    return { includes: (name) => !excluded.match(name), exactly: undefined, missingFrom: () => [] };
  const exactly = included.patterns.length === 0 ? [...included.names].sort() : undefined;
  return { includes: included.match, exactly, missingFrom: included.missingFrom };
}

function namesAndPatterns(
  names: Given,
  expressions: Given,
  { problemOf, isMeant }: SelectionRules,
  problems: InputProblem[],
) {
  for (const name of names[1]) {
    const problem = problemOf?.(name);
    if (problem !== undefined) problems.push({ input: names[0], problem });
  }
  const patterns: RegExp[] = [];
  for (const expression of expressions[1]) {
    try {
      patterns.push(compiled(expression));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      problems.push({
        input: expressions[0],
        problem: `'${expression}' is not a regular expression: ${why}`,
      });
    }
  }
  const listed = new Set(names[1]);
  const matches = patterns.length === 0 ? () => false : matcherOf(expressions[0], patterns);
  const isListed = isMeant
    ? (name: string) => names[1].some((each) => isMeant(name, each))
    : (name: string) => listed.has(name);
  return {
    given: [names, expressions].filter(([, values]) => values.length > 0).map(([input]) => input),
    names: listed,
    patterns,
    match: (name: string) => isListed(name) || matches(name),
    missingFrom(existing: readonly string[]) {
      const found = new Set(existing);
      const isFound = (each: string) =>
        isMeant ? existing.some((name) => isMeant(name, each)) : found.has(each);
      return [...listed].filter((each) => !isFound(each));
    },
  };
}

/** Flags for the whole expression, as RE2 writes them. */
const FLAGS = /^\(\?([ims]+)\)/;
/** Escaped characters, and the start of a class of POSIX. */
const TOKENS = /\\.|\[\[:/gs;
/** JavaScript gives them another meaning than RE2, so that an expression of another client would match nothing. */
const FOREIGN = /^\\[AzQEpP]$|^\[/;

/** @throws Error for an expression that is none, or that JavaScript understands otherwise than other clients do */
function compiled(expression: string): RegExp {
  const foreign = [...expression.matchAll(TOKENS)].find(([token]) => FOREIGN.test(token));
  if (foreign) throw new Error(`JavaScript has no ${foreign[0]}: use ^, $, or a class such as [a-z]`);
  const [start = "", flags = ""] = FLAGS.exec(expression) ?? [];
  return new RegExp(expression.slice(start.length), flags);
}

/** Milliseconds to compare a name with an expression. Some expressions would take years for a long name. */
const MATCH_MS = 1_000;
/** Maximum number of remembered names. */
const MAX_KNOWN = 10_000;

/** Remembers names, because a time limit costs more than most comparisons. @throws {InputError} for a slow expression */
function matcherOf(input: string, patterns: readonly RegExp[]): (name: string) => boolean {
  const known = new Map<string, boolean>();
  const comparison = new Script("pattern.test(name)");
  const scope: { pattern?: RegExp; name?: string } = {};
  createContext(scope);
  const isMatch = (pattern: RegExp, name: string): boolean => {
    Object.assign(scope, { pattern, name });
    try {
      return comparison.runInContext(scope, { timeout: MATCH_MS });
    } catch (cause) {
      const problem = `'${pattern.source}' takes longer than a second on '${name}'; avoid repetitions within repetitions`;
      throw new InputError([{ input, problem }], { cause });
    }
  };
  return (name) => {
    const result = known.get(name) ?? patterns.some((pattern) => isMatch(pattern, name));
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(name, result);
    return result;
  };
}
