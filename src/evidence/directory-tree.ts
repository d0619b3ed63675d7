import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";

/** One entry below a directory. Names are bytes: a file system may hold names that are not UTF-8. */
export interface TreeEntry {
  readonly name: Buffer;
  /** Where to open it. */
  readonly location: Buffer;
  /** Its place in the tree, from the root: `/src/main.ts`; the root's is `/`. */
  readonly path: string;
  readonly isDirectory: boolean;
  readonly isFile: boolean;
  readonly isLink: boolean;
  /** What a directory holds, in byte order of the names. */
  readonly entries: readonly TreeEntry[];
  /** Why the entries of a directory could not be listed. It matters only if nothing leaves the directory out. */
  readonly fault?: unknown;
}

const SLASH = Buffer.from("/");

/** Lists everything below a directory; links are listed and not followed. */
export async function readTree(directory: string): Promise<TreeEntry> {
  const root = Buffer.from(directory);
  return await readDirectory(Buffer.alloc(0), root, "/");
}

async function readDirectory(name: Buffer, location: Buffer, path: string): Promise<TreeEntry> {
  const directory = { name, location, path, isDirectory: true, isFile: false, isLink: false };
  let listed: Dirent<Buffer>[];
  try {
    listed = await readdir(location, { encoding: "buffer", withFileTypes: true });
  } catch (fault) {
    return { ...directory, entries: [], fault };
  }
  const parent = path === "/" ? "" : path;
  const entries = listed
    .sort((a, b) => Buffer.compare(a.name, b.name))
    .map((entry) => {
      const below = Buffer.concat([location, SLASH, entry.name]);
      const at = `${parent}/${entry.name.toString()}`;
      if (entry.isDirectory()) return readDirectory(entry.name, below, at);
      const kind = { isDirectory: false, isFile: entry.isFile(), isLink: entry.isSymbolicLink() };
      return { name: entry.name, location: below, path: at, ...kind, entries: [] };
    });
  return { ...directory, entries: await Promise.all(entries) };
}
