import {
  closeSync,
  constants,
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
import { InputError } from "../api/client/errors.ts";
import { isMissing, kindOf, whyUnusable } from "./unusable-path.ts";

/** The folder that what is sent may come from. */
export interface Workspace {
  /** As it was given, made absolute. */
  readonly root: string;
  /** With every link in it resolved. */
  readonly realRoot: string;
  readonly allowOutside: boolean;
}

/** @throws InputError (`workspace`) when there is no such directory. */
export async function openWorkspace(directory: string, allowOutside = false): Promise<Workspace> {
  const root = resolve(directory);
  try {
    return { root, realRoot: await realpath(root), allowOutside };
  } catch (cause) {
    throw new InputError([{ input: "workspace", problem: `'${root}' ${whyUnusable(cause)}` }], { cause });
  }
}

/** Does not wait for a writer, if a FIFO has taken the place of the file meanwhile. Windows has no such flag. */
const READ_ONLY = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** A file or directory that may be read and sent. */
export interface UsablePath {
  /** Absolute, as it was named: a link keeps its own name. */
  readonly path: string;
  /** How users see it: relative to the workspace where it lies in it. */
  readonly shown: string;
  /** What to open: no link remains in it, so it cannot lead elsewhere. */
  readonly realPath: string;
  readonly stats: Stats;
}

export interface UnusablePath {
  readonly problem: string;
  /** Nothing is there, not even a broken link. */
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
 * Says whether a path may be read and sent: a regular file or directory, readable, in the workspace once every link
 * is followed, and not in `.git`, where checkouts keep their token. Only what has proved to be a regular file is opened:
 * a FIFO would hang, a device would pour. The calls block, because a step may check thousands of files, and each takes
 * far less time than a round trip to another thread.
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
      return unusable(`is in .git, which may hold a token and is never sent: '${realPath}'`);
    }
    if (stats.isFile() && holdsUnstatedBytes(realPath, stats)) {
      return unusable("gives no size, so it cannot be sent: copy it to a file first");
    }
    return { path, shown, realPath, stats };
  } catch (error) {
    // The system has the name in bytes, of which a text can only hold those that are UTF-8.
    if (!isLink && isMissing(error) && path.includes("\ufffd"))
      return unusable("has a name that is not UTF-8, so it cannot be read: rename it");
    if (!isLink || !isMissing(error)) return unusable(whyUnusable(error), isMissing(error));
    return unusable(`is a link to '${targetOf(path)}', which does not exist`);
  }
}

/** Whether what is found now is still the very file that was checked, with nothing written to it since. */
export function isSameFile(one: Stats, other: Stats): boolean {
  const facts = ["dev", "ino", "size", "mtimeMs"] as const;
  return other.isFile() && facts.every((fact) => one[fact] === other[fact]);
}

/** Files of `/proc` say that they hold 0 bytes and would be sent as nothing. */
function holdsUnstatedBytes(path: string, { size }: Stats): boolean {
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

/** In any letter case: some file systems make no difference. */
export function isInGit(path: string): boolean {
  return path.split(sep).some((name) => name.toLowerCase() === ".git");
}
