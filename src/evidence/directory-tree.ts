import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";

/** Names are bytes, since they need not be UTF-8. */
export interface TreeEntry {
  readonly name: Buffer;
  readonly location: Buffer;
  /** Path from the root, which is `/`: `/src/main.ts`. */
  readonly path: string;
  readonly isDirectory: boolean;
  readonly isFile: boolean;
  readonly isLink: boolean;
  /** A directory's entries in byte order of their names. */
  readonly entries: readonly TreeEntry[];
  /** Why a directory could not be listed; irrelevant if it is excluded. */
  readonly fault?: unknown;
}

const SLASH = Buffer.from("/");

/** Lists everything below a directory without following links. */
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
