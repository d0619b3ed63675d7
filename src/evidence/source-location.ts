import { stat } from "node:fs/promises";
import { posix, resolve } from "node:path";
import type { Workspace } from "./workspace.ts";

export interface SourceLocation {
  /** Relative to the workspace, with slashes. */
  readonly file: string;
  readonly line?: number;
}

export interface WrittenLocation {
  readonly file: string;
  readonly line?: number;
  /** Counts only if the file exists. */
  readonly mustExist?: boolean;
}

const ABSOLUTE = /^(?:[A-Za-z]:)?[\\/]/;
const MAX_PATH_CHARACTERS = 1000;
/** Repositories on GitHub's runners: a report may come from another job or system. */
const RUNNER_WORKSPACE = /^(?:\/home\/runner\/work|\/Users\/runner\/work|\/__w|[A-Za-z]:\/a)\/([^/]+)\/\1\//;
/** Third-party files in workspaces. */
const FOREIGN = /(?:^|\/)(?:node_modules|site-packages|dist-packages|\.git|\.venv|\.gradle|\.m2)(?:\/|$)/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: no path worth showing contains them
const UNLIKELY = /[\u0000-\u001f\u007f<>|"*?]/;

/**
 * A tool's path relative to the workspace; undefined if it is outside. Does not access files, since the sources may be
 * absent.
 */
export function workspacePath(written: string, { root, realRoot }: Workspace): string | undefined {
  if (written === "" || written.length > MAX_PATH_CHARACTERS || UNLIKELY.test(written)) return undefined;
  // In a `file:` address, a Windows drive follows a slash.
  const path = written.replaceAll("\\", "/").replace(/^\/(?=[A-Za-z]:\/)/, "");
  const inRunner = path.replace(RUNNER_WORKSPACE, "");
  const within = [root, realRoot]
    .map((folder) => `${folder.replaceAll("\\", "/").replace(/\/$/, "")}/`)
    .find((folder) => path.startsWith(folder));
  const relative = within === undefined ? inRunner : path.slice(within.length);
  if (relative.startsWith("/") || /^[A-Za-z][A-Za-z0-9+.-]*:/.test(relative)) return undefined;
  const tidy = posix.normalize(relative);
  if (tidy === "." || tidy.endsWith("/") || tidy.startsWith("../") || tidy === "..") return undefined;
  return FOREIGN.test(tidy) ? undefined : tidy;
}

/**
 * The first place whose file exists in the workspace, else the first plausible one. A relative path is tried in
 * the report's folder and in each folder above it, because tools run in the folder of a package.
 */
export async function findInWorkspace(
  places: readonly WrittenLocation[],
  workspace: Workspace,
  report: string,
): Promise<SourceLocation | undefined> {
  let plausible: SourceLocation | undefined;
  for (const place of places) {
    const path = workspacePath(place.file, workspace);
    if (path === undefined) continue;
    const line = place.line === undefined || place.line < 1 ? {} : { line: place.line };
    for (const folder of ABSOLUTE.test(place.file) ? [""] : foldersAbove(report)) {
      const file = posix.join(folder, path);
      if (await isFile(resolve(workspace.root, file))) return { file, ...line };
    }
    if (place.mustExist !== true) plausible ??= { file: path, ...line };
  }
  return plausible;
}

/** The report's folder, those above it and, last, the workspace. */
function foldersAbove(report: string): string[] {
  const parts = report.replaceAll("\\", "/").split("/").slice(0, -1);
  if (report.startsWith("/") || /^[A-Za-z]:/.test(report)) return [""];
  return [...parts.map((_, dropped) => parts.slice(0, parts.length - dropped).join("/")), ""];
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    (stats) => stats.isFile(),
    () => false,
  );
}
