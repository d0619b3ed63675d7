import { posix } from "node:path";
import { InputError } from "../api/client/errors.ts";
import { compileNamePattern, hasWildcard } from "./name-pattern.ts";
import type { TreeNode } from "./tree-node.ts";

type EntriesByPath = ReadonlyMap<string, TreeNode>;

/** White space as Go trims it, which keeps byte order marks. */
const SPACE = "[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]";
const SURROUNDING_SPACE = new RegExp(`^${SPACE}+|${SPACE}+$`, "g");

/** One pattern per line; `#` starts a comment anywhere. */
export function parseIgnoreFile(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/#.*/s, "").replace(SURROUNDING_SPACE, ""))
    .filter((pattern) => pattern !== "");
}

/**
 * The paths in a tree that patterns exclude. Excluding a directory excludes everything below it.
 *
 * Names match as in Go's `filepath.Match`, slash by slash. `**` is expanded by the shared rule: the pattern is cut at
 * each `**`, and each piece is appended to every path found so far and to every path below those. Since pieces are
 * appended as text, a double star at the start followed by a plain name does not match that name at the root itself (the
 * text has two slashes), only its contents; before a name with a wildcard it does match there. Other clients do the
 * same, and any other rule would give other fingerprints.
 *
 * @throws InputError, under the name of `input`, for a malformed pattern.
 */
export function findExcluded(root: TreeNode, patterns: readonly string[], input: string): Set<string> {
  if (patterns.length === 0) return new Set();
  const malformed = patterns.filter((pattern) => !isWellFormed(pattern));
  if (malformed.length > 0) {
    throw new InputError(
      malformed.map((pattern) => ({ input, problem: `the pattern '${pattern}' is malformed` })),
      { advice: "In a pattern, '[' opens a class of characters such as [a-z]: write '\\[' for the bracket." },
    );
  }
  const byPath = new Map<string, TreeNode>();
  addWithDescendants(root, (entry) => byPath.set(entry.path, entry));
  return new Set(patterns.flatMap((pattern) => [...expandPattern(pattern, byPath)]));
}

function isWellFormed(pattern: string): boolean {
  return pattern
    .split("**")
    .flatMap((piece) => piece.split("/"))
    .every((segment) => compileNamePattern(segment) !== undefined);
}

function expandPattern(pattern: string, byPath: EntriesByPath): Iterable<string> {
  const fromRoot = posix.normalize(`./${pattern}`);
  if (fromRoot.startsWith("../")) return [];
  const whole = posix.join("/", fromRoot).replace(/\/$/, "");

  let found: ReadonlySet<string> = new Set([""]);
  for (const piece of whole.split("**")) {
    const next = new Set<string>();
    for (const start of found) {
      for (const path of expandWildcards(start + piece, byPath)) {
        next.add(path);
        const entry = lookUp(path, byPath);
        for (const child of entry?.entries ?? []) addWithDescendants(child, ({ path }) => next.add(path));
      }
    }
    found = next;
  }
  return found;
}

/** The paths a pattern without `**` matches; without wildcards, as written. */
function expandWildcards(pattern: string, byPath: EntriesByPath): string[] {
  if (!hasWildcard(pattern)) return lookUp(pattern, byPath) === undefined ? [] : [pattern];
  const slash = pattern.lastIndexOf("/");
  const parent = pattern.slice(0, Math.max(slash, 1));
  const parents = hasWildcard(parent) ? expandWildcards(parent, byPath) : [parent];
  // Names of real files may be part of the pattern, so it can be malformed.
  const matches = compileNamePattern(pattern.slice(slash + 1)) ?? (() => false);
  return parents
    .flatMap((directory) => lookUp(directory, byPath)?.entries ?? [])
    .filter((entry) => matches(entry.name.toString()))
    .map((entry) => entry.path);
}

function lookUp(path: string, byPath: EntriesByPath): TreeNode | undefined {
  return byPath.get(path) ?? byPath.get(posix.normalize(path).replace(/(?<=.)\/$/, ""));
}

function addWithDescendants(entry: TreeNode, add: (entry: TreeNode) => void): void {
  add(entry);
  for (const child of entry.entries) addWithDescendants(child, add);
}
