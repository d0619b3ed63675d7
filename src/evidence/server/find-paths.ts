import { glob, lstat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { InputError } from "../../api/client/errors.ts";
import { closedFolders, MAX_ALTERNATIVES, mayHaveAlternatives } from "../glob-pattern.ts";
import { isMissing } from "../unusable-path.ts";
import { type NamedPath, parseNamedPath } from "./named-path.ts";

const INPUT = "paths";
/** Each is an artifact of its own: a glob that matches more of them reaches further than was meant. */
const MAX_PATHS = 10_000;

export interface PathsRequest {
  /** Paths and globs, relative to `root`, as `parseNamedPath` reads them. */
  readonly lines: readonly string[];
  readonly root: string;
  /** What is not there is left out with a warning. */
  readonly mayBeMissing: boolean;
  readonly onWarning: (message: string) => void;
}

/** A file or directory, and what it is called. */
export interface FoundPath {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
}

/**
 * The files and directories that lines name, each once, or once under each name it is given, in byte order of the
 * names. A path that exists is taken as it is, whatever wildcards its name holds.
 *
 * @throws {InputError} (`paths`) with all that is wrong with the lines
 */
export async function findPaths({
  lines,
  root,
  mayBeMissing,
  onWarning,
}: PathsRequest): Promise<FoundPath[]> {
  const empty = lines.filter((line) => parseNamedPath(line).pattern === "");
  // As a path it would be `root` itself.
  if (empty.length > 0) throw refused(empty.map(namesNoPath));
  const all = lines.map(parseNamedPath);
  const search = new Search(root);
  for (const { pattern } of all.filter(({ takenBack }) => takenBack)) await search.takeBack(pattern);
  const wanted = all.filter(({ takenBack }) => !takenBack);
  const named: FoundPath[] = [];
  const found = new Set<string>();
  for (const { pattern, name } of wanted) {
    for (const path of await search.find(pattern, name)) {
      if (name === undefined) found.add(path);
      else named.push({ name, path });
    }
  }
  // A glob that matches a path with a name as well does not report it twice.
  for (const { path } of named) found.delete(path);
  const { problems, missing } = search;
  problems.push(...repeatedNames(wanted));
  if (!mayBeMissing) problems.push(...missing);
  if (problems.length > 0) throw refused(problems);
  for (const what of missing) onWarning(`${what}, so it is not reported`);
  const byName = (a: FoundPath, b: FoundPath) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
  return [...named, ...[...found].map((path) => ({ name: path, path }))].sort(byName);
}

function refused(problems: readonly string[]): InputError {
  return new InputError(problems.map((problem) => ({ input: INPUT, problem })));
}

function namesNoPath(line: string): string {
  return `'${line}' names no path: look at the expression that it comes from`;
}

function repeatedNames(lines: readonly NamedPath[]): string[] {
  const names = lines.flatMap(({ name }) => name ?? []);
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...repeated].map((name) => `the name '${name}' is given twice`);
}

/** Expands patterns, and collects what is wrong with any of them. */
class Search {
  readonly problems: string[] = [];
  /** What was named and is not there. */
  readonly missing: string[] = [];
  readonly #root: string;
  readonly #takenBack = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  async takeBack(pattern: string): Promise<void> {
    for (const path of (await this.#expand(pattern))?.paths ?? []) this.#takenBack.add(path);
  }

  /** The paths of a pattern that are not taken back. One with a name is for one path. */
  async find(pattern: string, name: string | undefined): Promise<readonly string[]> {
    const expanded = await this.#expand(pattern);
    if (expanded === undefined) return [];
    const { isGlob } = expanded;
    const paths = expanded.paths.filter((path) => !this.#isTakenBack(path));
    if (isGlob) await this.#findClosedFolders(pattern);
    if (!isGlob && paths.length < expanded.paths.length)
      this.problems.push(`'${pattern}' is both named and taken back with '!'`);
    else if (paths.length === 0)
      this.missing.push(isGlob ? `nothing matches '${pattern}'` : `'${pattern}' does not exist`);
    if (name !== undefined && paths.length > 1)
      this.problems.push(`'${pattern}' matches ${paths.length} paths, and the name '${name}' is for one`);
    return paths;
  }

  async #expand(pattern: string): Promise<{ paths: readonly string[]; isGlob: boolean } | undefined> {
    const path = resolve(this.#root, pattern);
    const exists = await isThere(path);
    if (exists || !/[*?[{(]/.test(pattern)) return { paths: exists ? [path] : [], isGlob: false };
    const shown = pattern.length > 100 ? `${pattern.slice(0, 100)}…` : pattern;
    if (mayHaveAlternatives(pattern) > MAX_ALTERNATIVES) {
      this.problems.push(`'${shown}' stands for more than ${MAX_ALTERNATIVES} patterns: use several lines`);
      return undefined;
    }
    const paths: string[] = [];
    for await (const match of glob(pattern, { cwd: this.#root })) {
      paths.push(resolve(this.#root, match));
      if (paths.length <= MAX_PATHS) continue;
      this.problems.push(`'${shown}' matches more than ${MAX_PATHS} paths: name the directories instead`);
      return undefined;
    }
    return { paths, isGlob: true };
  }

  /** Globs pass over what they may not look into: the report would say that nothing of it runs. */
  async #findClosedFolders(pattern: string): Promise<void> {
    for (const folder of await closedFolders(pattern, this.#root, (path) => this.#isTakenBack(path))) {
      const cure = `take it back with '!${folder}' if nothing in it is wanted`;
      this.problems.push(`'${folder}' cannot be looked into for '${pattern}': ${cure}`);
    }
  }

  #isTakenBack(path: string): boolean {
    const parent = dirname(path);
    return this.#takenBack.has(path) || (parent !== path && this.#isTakenBack(parent));
  }
}

/** False only when nothing is there, not even a broken link: any other fault is told when it is read. */
async function isThere(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    (error: unknown) => !isMissing(error),
  );
}
