import { glob } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { InputError } from "../api/client/errors.ts";
import { closedFolders, MAX_ALTERNATIVES, mayHaveAlternatives } from "./glob-pattern.ts";
import { exists, shortened } from "./unusable-path.ts";
import {
  checkPath,
  isInGit,
  isInside,
  openWorkspace,
  shownIn,
  type UsablePath,
  type Workspace,
} from "./workspace.ts";

const PATHS_AT_ONCE = 100;

export interface FileRequest {
  /** For messages. */
  readonly input: string;
  /** Paths and globs relative to the workspace. A leading `!` excludes matches. */
  readonly patterns: readonly string[];
  readonly workspace: string;
  readonly allowOutsideWorkspace: boolean;
  /** Applies to missing paths and globs without a match. */
  readonly ifNoFilesFound: "error" | "warn" | "ignore";
}

/** All problems, so that one run reports everything. */
export interface Findings {
  readonly input: string;
  readonly problems: string[];
  readonly warnings: string[];
  /** Reports a missing path according to `ifNoFilesFound`. */
  missing(problem: string): void;
}

export interface Selection {
  /** In order of the patterns, then in byte order of the paths. */
  readonly selected: readonly UsablePath[];
  /** Files selected again by another pattern or a link. */
  readonly repeated: readonly Repeated[];
  readonly findings: Findings;
  readonly workspace: Workspace;
  /** True for an excluded path and all below it. */
  isExcluded(path: string): boolean;
}

interface Repeated {
  readonly again: UsablePath;
  readonly first: UsablePath;
}

/**
 * An existing path is used literally, even with wildcards in its name. Other patterns with wildcards are globs, which
 * match only files, dot files only if the pattern has the dot, and never `.git`.
 */
export async function selectFiles(request: FileRequest): Promise<Selection> {
  const workspace = await openWorkspace(request.workspace, request.allowOutsideWorkspace);
  const findings = startFindings(request);
  const taken = request.patterns.filter((pattern) => !pattern.startsWith("!"));
  const negated = request.patterns
    .filter((pattern) => pattern.startsWith("!"))
    .map((pattern) => pattern.slice(1));

  const excluded = new Set<string>();
  for (const pattern of negated) {
    const { paths, problem } = await expand(pattern, workspace);
    if (problem !== undefined) findings.problems.push(problem);
    for (const path of paths) excluded.add(path);
  }
  const isExcluded = (path: string): boolean =>
    excluded.has(path) || (dirname(path) !== path && isExcluded(dirname(path)));

  if (taken.length === 0 && negated.length > 0)
    findings.missing("must have a pattern that does not start with '!'");
  const selected = new Map<string, UsablePath>();
  const repeated: Repeated[] = [];
  for (const pattern of taken) {
    const { paths, isGlob, problem } = await expand(pattern, workspace);
    if (problem !== undefined) findings.problems.push(problem);
    let found = problem === undefined ? 0 : 1;
    if (isGlob && problem === undefined) {
      for (const folder of await closedFolders(pattern, workspace.root, isExcluded)) {
        const shown = shownIn(workspace, folder);
        const advice = `exclude it with '!${shown}' if it is not needed`;
        findings.problems.push(`'${shown}' cannot be searched for '${pattern}': ${advice}`);
        found++;
      }
    }
    for (const [index, path] of paths.entries()) {
      if (isExcluded(path)) continue;
      // Lets other work run, such as an interrupt.
      if (index % PATHS_AT_ONCE === 0) await setImmediate();
      const checked = checkPath(path, workspace);
      if (!("problem" in checked)) {
        if (isGlob && checked.stats.isDirectory()) continue;
        const first = selected.get(checked.realPath);
        if (first === undefined) selected.set(checked.realPath, checked);
        else repeated.push({ again: checked, first });
        // A glob's match existed a moment ago.
      } else if (checked.missing && !isGlob) findings.missing(checked.problem);
      else findings.problems.push(checked.problem);
      found++;
    }
    if (found === 0) findings.missing(`no file matches '${pattern}'`);
  }
  return { selected: [...selected.values()], repeated, findings, workspace, isExcluded };
}

function startFindings({ input, ifNoFilesFound }: FileRequest): Findings {
  const problems: string[] = [];
  const warnings: string[] = [];
  const missing = (problem: string): void => {
    if (ifNoFilesFound === "error") problems.push(problem);
    if (ifNoFilesFound === "warn") warnings.push(problem);
  };
  return { input, problems, warnings, missing };
}

/** @throws InputError with every problem */
export function refuseProblems({ input, problems }: Findings): void {
  if (problems.length === 0) return;
  throw new InputError(problems.map((problem) => ({ input, code: "file.unusable", problem })));
}

interface Expansion {
  readonly paths: readonly string[];
  readonly isGlob: boolean;
  readonly problem?: string;
}

async function expand(pattern: string, workspace: Workspace): Promise<Expansion> {
  const path = resolve(workspace.root, pattern);
  if (!/[*?[{(]/.test(pattern) || (await exists(path))) return { paths: [path], isGlob: false };
  if (!workspace.allowOutside && ![workspace.root, workspace.realRoot].some((root) => isInside(path, root))) {
    const problem = `'${pattern}' is outside the workspace: '${path}' is not in '${workspace.realRoot}'`;
    return { paths: [], isGlob: true, problem };
  }
  if (mayHaveAlternatives(pattern) > MAX_ALTERNATIVES) {
    const problem = `'${shortened(pattern)}' expands to more than ${MAX_ALTERNATIVES} patterns: use wildcards or several lines`;
    return { paths: [], isGlob: true, problem };
  }
  const paths: string[] = [];
  for await (const match of glob(pattern, { cwd: workspace.root })) {
    const matched = resolve(workspace.root, match);
    if (!isInGit(shownIn(workspace, matched))) paths.push(matched);
  }
  return { paths: paths.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))), isGlob: true };
}
