import {
  closeSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from "node:fs";
import { realpath } from "node:fs/promises";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { isMissing, kindOf, READ_ONLY, unusableFile, whyUnusable } from "./unusable-path.ts";

export interface Workspace {
  /** As given, made absolute. */
  readonly root: string;
  /** With all links resolved. */
  readonly realRoot: string;
  readonly allowOutside: boolean;
}

/** @throws InputError (`workspace`) if there is no such directory */
export async function openWorkspace(directory: string, allowOutside = false): Promise<Workspace> {
  const root = resolve(directory);
  try {
    return { root, realRoot: await realpath(root), allowOutside };
  } catch (cause) {
    throw unusableFile("workspace", `'${root}' ${whyUnusable(cause)}`, { cause });
  }
}

export interface UsablePath {
  /** Absolute, as named: a link keeps its own name. */
  readonly path: string;
  /** For users: relative to the workspace if inside it. */
  readonly shown: string;
  /** The path to open. It has no links, so it cannot lead elsewhere. */
  readonly realPath: string;
  readonly stats: Stats;
}

export interface UnusablePath {
  readonly problem: string;
  /** Whether nothing exists, not even a broken link. */
  readonly missing: boolean;
}

export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

export function shownIn({ root }: Pick<Workspace, "root">, path: string): string {
  return isInside(path, root) ? relative(root, path) || "." : path;
}

/**
 * Accepts readable regular files and directories in the workspace, after all links are followed, but none in `.git`,
 * which contains the token of the checkout. Only regular files are opened: a FIFO would hang. Calls block, because a step may
 * check thousands of files, and each takes less time than a round trip to another thread.
 */
export function checkPath(path: string, workspace: Workspace): UsablePath | UnusablePath {
  const shown = shownIn(workspace, path);
  const unusable = (problem: string, missing = false): UnusablePath => ({
    problem: `'${shown}' ${problem}`,
    missing,
  });
  let isLink = false;
  try {
    const own = lstatSync(path);
    isLink = own.isSymbolicLink();
    const realPath = realpathSync.native(path);
    if (!workspace.allowOutside && !isInside(realPath, workspace.realRoot)) {
      return unusable(`is outside the workspace: '${realPath}' is not in '${workspace.realRoot}'`);
    }
    const stats = isLink ? statSync(realPath) : own;
    if (!stats.isFile() && !stats.isDirectory()) return unusable(`is ${kindOf(stats)}, which cannot be sent`);
    if (isInGit(shownIn({ root: workspace.realRoot }, realPath))) {
      return unusable(`is in .git, which may contain a token and is never sent: '${realPath}'`);
    }
    if (stats.isFile() && hasUnstatedBytes(realPath, stats)) {
      return unusable("has no size, so it cannot be sent: copy it to a file first");
    }
    return { path, shown, realPath, stats };
  } catch (error) {
    // Texts can only contain names in UTF-8.
    if (!isLink && isMissing(error) && path.includes("\ufffd"))
      return unusable("has a name that is not UTF-8, so it cannot be read: rename it");
    if (!isLink || !isMissing(error)) return unusable(whyUnusable(error), isMissing(error));
    return unusable(`is a link to '${targetOf(path)}', which does not exist`);
  }
}

/** True if it is still the checked file, and unchanged. */
export function isSameFile(one: Stats, other: Stats): boolean {
  const facts = ["dev", "ino", "size", "mtimeMs"] as const;
  return other.isFile() && facts.every((fact) => one[fact] === other[fact]);
}

/** Files of `/proc` report 0 bytes and would be sent empty. */
function hasUnstatedBytes(path: string, { size }: Stats): boolean {
  const file = openSync(path, READ_ONLY);
  try {
    return size === 0 && readSync(file, Buffer.alloc(1)) > 0;
  } finally {
    closeSync(file);
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return "";
  }
}

/** In any letter case, since some file systems ignore it. */
export function isInGit(path: string): boolean {
  return path.split(sep).some((name) => name.toLowerCase() === ".git");
}
