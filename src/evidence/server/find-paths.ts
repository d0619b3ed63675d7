import { glob } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { InputError } from "../../api/client/errors.ts";
import { closedFolders, MAX_ALTERNATIVES, mayHaveAlternatives } from "../glob-pattern.ts";
import { exists, shortened } from "../unusable-path.ts";

const INPUT = "paths";
/** Maximum number of artifacts: a glob with more matches is a mistake. */
const MAX_PATHS = 10_000;

export interface PathsRequest {
  /** Paths and globs, as `parseNamedPath` reads them. */
  readonly lines: readonly string[];
  readonly root: string;
  /** Warns of missing paths instead of failing. */
  readonly mayBeMissing: boolean;
  readonly onWarning: (message: string) => void;
}

export interface FoundPath {
  readonly name: string;
  readonly path: string;
}

/**
 * The named files and directories, once per name, in byte order of the names. An existing path is used literally, even
 * with wildcards in its name.
 *
 * @throws {InputError} (`paths`) with every problem
 */
export async function findPaths({
  lines,
  root,
  mayBeMissing,
  onWarning,
}: PathsRequest): Promise<FoundPath[]> {
  const empty = lines.filter((line) => parseNamedPath(line).pattern === "");
  // An empty path would mean `root`.
  if (empty.length > 0) throw refused(empty.map(namesNoPath));
  const all = lines.map(parseNamedPath);
  const search = new Search(root);
  for (const { pattern } of all.filter(({ excluded }) => excluded)) await search.exclude(pattern);
  const wanted = all.filter(({ excluded }) => !excluded);
  const named: FoundPath[] = [];
  const found = new Set<string>();
  for (const { pattern, name } of wanted) {
    for (const path of await search.find(pattern, name)) {
      if (name === undefined) found.add(path);
      else named.push({ name, path });
    }
  }
  // A named path is not reported again by a glob.
  for (const { path } of named) found.delete(path);
  const { problems, missing } = search;
  problems.push(...repeatedNames(wanted));
  if (!mayBeMissing) problems.push(...missing);
  if (problems.length > 0) throw refused(problems);
  for (const what of missing) onWarning(`Not reported: ${what}`);
  const byName = (a: FoundPath, b: FoundPath) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
  return [...named, ...[...found].map((path) => ({ name: path, path }))].sort(byName);
}

function refused(problems: readonly string[]): InputError {
  return new InputError(problems.map((problem) => ({ input: INPUT, problem })));
}

function namesNoPath(line: string): string {
  return `'${line}' has no path: check the expression that it comes from`;
}

function repeatedNames(lines: readonly NamedPath[]): string[] {
  const names = lines.flatMap(({ name }) => name ?? []);
  const repeated = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...repeated].map((name) => `the name '${name}' is used twice`);
}

class Search {
  readonly problems: string[] = [];
  readonly missing: string[] = [];
  readonly #root: string;
  readonly #excluded = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  async exclude(pattern: string): Promise<void> {
    for (const path of (await this.#expand(pattern))?.paths ?? []) this.#excluded.add(path);
  }

  /** The matches that are not excluded. A named pattern must match one path. */
  async find(pattern: string, name: string | undefined): Promise<readonly string[]> {
    const expanded = await this.#expand(pattern);
    if (expanded === undefined) return [];
    const { isGlob } = expanded;
    const paths = expanded.paths.filter((path) => !this.#isExcluded(path));
    if (isGlob) await this.#findClosedFolders(pattern);
    if (!isGlob && paths.length < expanded.paths.length)
      this.problems.push(`'${pattern}' is both included and excluded with '!': remove one of the two lines`);
    else if (paths.length === 0)
      this.missing.push(isGlob ? `nothing matches '${pattern}'` : `'${pattern}' does not exist`);
    if (name !== undefined && paths.length > 1)
      this.problems.push(`'${pattern}' matches ${paths.length} paths, but '${name}' can name only one`);
    return paths;
  }

  async #expand(pattern: string): Promise<{ paths: readonly string[]; isGlob: boolean } | undefined> {
    const path = resolve(this.#root, pattern);
    const isThere = await exists(path);
    if (isThere || !/[*?[{(]/.test(pattern)) return { paths: isThere ? [path] : [], isGlob: false };
    const shown = shortened(pattern);
    if (mayHaveAlternatives(pattern) > MAX_ALTERNATIVES) {
      this.problems.push(`'${shown}' expands to more than ${MAX_ALTERNATIVES} patterns: use several lines`);
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

  /** Globs silently skip unreadable folders, so the report would omit their files. */
  async #findClosedFolders(pattern: string): Promise<void> {
    for (const folder of await closedFolders(pattern, this.#root, (path) => this.#isExcluded(path))) {
      const advice = `exclude it with '!${folder}' if it is not needed`;
      this.problems.push(`'${folder}' cannot be searched for '${pattern}': ${advice}`);
    }
  }

  #isExcluded(path: string): boolean {
    const parent = dirname(path);
    return this.#excluded.has(path) || (parent !== path && this.#isExcluded(parent));
  }
}

interface NamedPath {
  /** The absolute path by default. */
  readonly name?: string;
  readonly pattern: string;
  readonly excluded: boolean;
}

/** Start of a path. */
const PATH_START = /^(?:[./\\]|[A-Za-z]:[\\/])/;
const WILDCARD = /[*?[{(]/;

/** Reads `path`, `name=path` or `!path`. A name must not look like a path: `./a=b` and `/srv/a=b` are paths. */
export function parseNamedPath(line: string): NamedPath {
  if (line.startsWith("!")) return { pattern: line.slice(1).trim(), excluded: true };
  const at = line.indexOf("=");
  const name = line.slice(0, Math.max(at, 0)).trim();
  if (name === "" || PATH_START.test(name) || WILDCARD.test(name)) return { pattern: line, excluded: false };
  return { name, pattern: line.slice(at + 1).trim(), excluded: false };
}
