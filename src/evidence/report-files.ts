import { type FileRequest, type Findings, refuseProblems, selectFiles } from "./file-selection.ts";
import { digestOfFile } from "./fingerprint.ts";
import { oversize, whyUnusable } from "./unusable-path.ts";
import type { UsablePath, Workspace } from "./workspace.ts";

/** A path or glob without a match is an error: no results prove nothing. */
export interface ReportRequest extends Omit<FileRequest, "ifNoFilesFound"> {
  readonly maxBytes: number;
}

export interface ReportFiles {
  readonly files: readonly UsablePath[];
  readonly workspace: Workspace;
  /** Files omitted as copies. */
  readonly warnings: readonly string[];
}

/** Result of the reports. */
export interface ReportVerdict {
  /** The files' names in messages. */
  readonly reports: readonly string[];
  readonly compliant: boolean;
  /** Why the result is not compliant, without a full stop; empty if it is. */
  readonly reason: string;
  readonly warnings: readonly string[];
}

/**
 * The named files, each once: a file named twice, a link or a copy would count its results twice.
 *
 * @throws InputError for the input, with every problem
 */
export async function selectReports({ maxBytes, ...request }: ReportRequest): Promise<ReportFiles> {
  const selection = await selectFiles({ ...request, ifNoFilesFound: "error" });
  const { selected, repeated, findings, workspace } = selection;
  for (const file of selected) {
    const { shown, stats } = file;
    if (stats.isDirectory()) findings.problems.push(adviseOnDirectory(shown));
    else if (stats.size > maxBytes) findings.problems.push(oversize(`'${shown}'`, stats.size, maxBytes));
  }
  if (selected.length === 0 && findings.problems.length === 0) findings.problems.push("must name a file");
  refuseProblems(findings);
  const warnings = repeated
    .filter(({ again, first }) => again.path !== first.path)
    .map(({ again, first }) => `'${again.shown}' links to '${first.shown}', which is counted once`);
  const named = new Set(
    repeated.filter(({ again, first }) => again.path === first.path).map(({ first }) => first.shown),
  );
  for (const shown of named) warnings.push(`'${shown}' matches several patterns and is counted once`);
  const { files, copies } = await withoutCopies(selected, findings);
  return { files, workspace, warnings: [...warnings, ...copies] };
}

function adviseOnDirectory(shown: string): string {
  return `'${shown}' is a directory: use a glob such as '${shown === "." ? "" : `${shown}/`}**/*'`;
}

/** Reads only files of equal size, since others cannot be copies. */
async function withoutCopies(
  selected: readonly UsablePath[],
  findings: Findings,
): Promise<{ files: UsablePath[]; copies: string[] }> {
  const ofSize = Map.groupBy(selected, ({ stats }) => stats.size);
  const firstOf = new Map<string, UsablePath>();
  const files: UsablePath[] = [];
  const copies: string[] = [];
  for (const file of selected) {
    const digest = ofSize.get(file.stats.size)?.length === 1 ? undefined : await digestOf(file, findings);
    const first = digest === undefined ? undefined : firstOf.get(digest);
    if (first === undefined) files.push(file);
    else copies.push(`'${file.shown}' is a copy of '${first.shown}', so it is not counted again`);
    if (digest !== undefined && first === undefined) firstOf.set(digest, file);
  }
  refuseProblems(findings);
  return { files, copies };
}

async function digestOf(file: UsablePath, findings: Findings): Promise<string | undefined> {
  try {
    return await digestOfFile(file.realPath);
  } catch (error) {
    findings.problems.push(`'${file.shown}' ${whyUnusable(error)}`);
    return undefined;
  }
}
