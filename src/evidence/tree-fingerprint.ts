import { createHash, type Hash, hash } from "node:crypto";
import { findExcluded, parseIgnoreFile } from "./exclusions.ts";
import type { TreeNode } from "./tree-node.ts";

/** A file of the root directory with patterns of paths to omit. */
export const IGNORE_FILE = ".kosli_ignore";

/** The root directory's file with patterns. */
export function ignoreFileIn<Node extends TreeNode>(entries: readonly Node[]): Node | undefined {
  return entries.find(({ name }) => name.toString() === IGNORE_FILE);
}

/** Paths that the text of the ignore file excludes. @throws InputError for a malformed pattern */
export function excludedBy(text: string, root: TreeNode): ReadonlySet<string> {
  return findExcluded(root, parseIgnoreFile(text), IGNORE_FILE);
}

interface Reading<Node> {
  /** The entries of a directory that is not excluded. */
  readonly listOf: (directory: Node) => readonly Node[];
  /** Sha256 of a leaf's content, in hex. */
  readonly digestOf: (leaf: Node) => string | Promise<string>;
}

/**
 * The lower-case sha256 of a string with digests of every entry, depth first and in byte order of the names: the hex
 * sha256 of its name; then, for a leaf, of its content.
 */
export async function fingerprintTree<Node extends TreeNode>(
  root: Node,
  excluded: ReadonlySet<string>,
  reading: Reading<Node>,
): Promise<string> {
  const sum = createHash("sha256");
  await addEntries(root, excluded, reading, sum);
  return sum.digest("hex");
}

async function addEntries<Node extends TreeNode>(
  directory: Node,
  excluded: ReadonlySet<string>,
  reading: Reading<Node>,
  sum: Hash,
): Promise<void> {
  for (const entry of reading.listOf(directory)) {
    if (excluded.has(entry.path)) continue;
    sum.update(hash("sha256", entry.name));
    if (entry.isDirectory) await addEntries(entry, excluded, reading, sum);
    else sum.update(await reading.digestOf(entry));
  }
}
