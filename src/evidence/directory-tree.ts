import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { inOrder, type TreeNode } from "./tree-node.ts";

export interface TreeEntry extends TreeNode {
  readonly location: Buffer;
  readonly isFile: boolean;
  readonly isLink: boolean;
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
  const entries = listed.sort(inOrder).map((entry) => {
    const below = Buffer.concat([location, SLASH, entry.name]);
    const at = `${parent}/${entry.name.toString()}`;
    if (entry.isDirectory()) return readDirectory(entry.name, below, at);
    const kind = { isDirectory: false, isFile: entry.isFile(), isLink: entry.isSymbolicLink() };
    return { name: entry.name, location: below, path: at, ...kind, entries: [] };
  });
  return { ...directory, entries: await Promise.all(entries) };
}
