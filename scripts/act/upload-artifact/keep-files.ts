import { cpSync, globSync, mkdirSync, type Stats, statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/** First character of a path's pattern. */
const PATTERN_CHARACTER = /[*?[{]/;

/**
 * Copies the files of `path` into a new folder, as `actions/upload-artifact` would: files, folders
 * and globs, one per line, without those on lines with `!` and without hidden files. Paths in the
 * artifact are relative to the common folder of all lines.
 *
 * @param workspace base of relative paths
 * @throws when the folder exists already, or no file was found
 */
export function keepFiles(path: string, folder: string, workspace = process.cwd()): void {
  const lines = path
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const absolute = (line: string) => resolve(workspace, line);
  const wanted = lines.filter((line) => !line.startsWith("!")).map(absolute);
  const excluded = lines.filter((line) => line.startsWith("!")).map((line) => absolute(line.slice(1)));
  const unwanted = new Set(excluded.flatMap(found));
  const root = commonFolder(wanted.map(searchedPath));
  const files = new Set(wanted.flatMap(found).filter((file) => !unwanted.has(file)));
  const visible = [...files].map((file) => relative(root, file)).filter((name) => !isHidden(name));
  mkdirSync(dirname(folder), { recursive: true });
  mkdirSync(folder);
  if (visible.length === 0) throw new Error(`No files were found with the provided path: ${path}`);
  for (const name of visible) cpSync(join(root, name), join(folder, name));
}

/** The files of a line; for a folder, all files in it. */
function found(line: string): string[] {
  return globSync(line)
    .map((match) => resolve(match))
    .flatMap((match) =>
      isFolder(match) ? globSync("**", { cwd: match }).map((name) => join(match, name)) : [match],
    )
    .filter((match) => statsOf(match)?.isFile());
}

/** The part of a line before its first pattern. */
function searchedPath(line: string): string {
  const steps = resolve(line).split(sep);
  const pattern = steps.findIndex((step) => PATTERN_CHARACTER.test(step));
  return steps.slice(0, pattern === -1 ? steps.length : pattern).join(sep) || sep;
}

function commonFolder([first = ".", ...others]: readonly string[]): string {
  let folder = isFolder(first) ? first : dirname(first);
  while (!others.every((other) => !relative(folder, other).startsWith(".."))) folder = dirname(folder);
  return folder;
}

function isHidden(name: string): boolean {
  return name.split(sep).some((step) => step.startsWith("."));
}

function isFolder(path: string): boolean {
  return statsOf(path)?.isDirectory() === true;
}

function statsOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

if (import.meta.main) {
  const { ACT_ARTIFACTS = "", NAME = "", FILES = "" } = process.env;
  keepFiles(FILES, join(ACT_ARTIFACTS, NAME));
}
