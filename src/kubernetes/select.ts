import { InputError, type InputProblem } from "../api/client/errors.ts";

/** Includes or excludes namespaces, never both; all by default. */
export interface NamespaceInputs {
  namespaces?: readonly string[];
  namespacesRegex?: readonly string[];
  excludeNamespaces?: readonly string[];
  excludeNamespacesRegex?: readonly string[];
}

export interface NamespaceSelection {
  includes(namespace: string): boolean;
  /** The only possible namespaces, if all are given by name; the pods of each need a separate request. */
  exactly: readonly string[] | undefined;
}

/** A DNS label. */
const NAMESPACE = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * A namespace is included if it is listed or an expression matches anywhere in its name.
 *
 * @throws {InputError} naming every wrong input
 */
export function selectNamespaces(inputs: NamespaceInputs): NamespaceSelection {
  const problems: InputProblem[] = [];
  const included = namesAndPatterns(
    ["namespaces", inputs.namespaces ?? []],
    ["namespaces-regex", inputs.namespacesRegex ?? []],
    problems,
  );
  const excluded = namesAndPatterns(
    ["exclude-namespaces", inputs.excludeNamespaces ?? []],
    ["exclude-namespaces-regex", inputs.excludeNamespacesRegex ?? []],
    problems,
  );
  if (included.given.length > 0 && excluded.given.length > 0) {
    const problem = `cannot be used with ${excluded.given.join(" and ")}: include namespaces or exclude them`;
    problems.push(...included.given.map((input) => ({ input, problem })));
  }
  if (problems.length > 0) throw new InputError(problems);

  if (included.given.length > 0) {
    const exactly = included.patterns.length === 0 ? [...included.names].sort() : undefined;
    return { includes: included.match, exactly };
  }
  return { includes: (namespace) => !excluded.match(namespace), exactly: undefined };
}

type Given = readonly [input: string, values: readonly string[]];

function namesAndPatterns(names: Given, expressions: Given, problems: InputProblem[]) {
  for (const name of names[1]) {
    if (!NAMESPACE.test(name))
      problems.push({ input: names[0], problem: `'${name}' is not a valid namespace name` });
  }
  const patterns: RegExp[] = [];
  for (const expression of expressions[1]) {
    try {
      patterns.push(new RegExp(expression));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      problems.push({
        input: expressions[0],
        problem: `'${expression}' is not a regular expression: ${why}`,
      });
    }
  }
  const listed = new Set(names[1]);
  return {
    given: [names, expressions].filter(([, values]) => values.length > 0).map(([input]) => input),
    names: listed,
    patterns,
    match: (namespace: string) =>
      listed.has(namespace) || patterns.some((pattern) => pattern.test(namespace)),
  };
}
