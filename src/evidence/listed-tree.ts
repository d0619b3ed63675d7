import { inOrder, type TreeNode } from "./tree-node.ts";

/** A file or directory that is not on disk. */
export interface ListedEntry extends TreeNode {
  readonly entries: readonly ListedEntry[];
}

/** The paths do not make a directory. Its message names them. */
export class UnusablePaths extends Error {}

interface Growing extends ListedEntry {
  readonly entries: Growing[];
}

/**
 * The tree of paths such as `src/main.ts`. A path with a slash at its end is a directory.
 *
 * @throws UnusablePaths for paths that leave the tree, or that are equal or inside of a file
 */
export function treeOf(paths: Iterable<string>): ListedEntry {
  const root = entryOf("", "/", true);
  const byPath = new Map([["", root]]);
  for (const path of paths) {
    const segments = path.replace(/\/$/, "").split("/");
    if (segments.some((segment) => /^(\.{0,2})$/.test(segment) || segment.includes("\0")))
      throw new UnusablePaths(`'${path}' is not a path inside of the directory`);
    let parent = root;
    for (const [index, segment] of segments.entries()) {
      const isLast = index === segments.length - 1;
      const isDirectory = !isLast || path.endsWith("/");
      const at = `/${segments.slice(0, index + 1).join("/")}`;
      const known = byPath.get(at);
      if (known && !(known.isDirectory && isDirectory)) {
        const what = isDirectory === known.isDirectory ? "listed twice" : "both a file and a directory";
        throw new UnusablePaths(`'${at.slice(1)}' is ${what}${isLast ? "" : `, because of '${path}'`}`);
      }
      const entry = known ?? entryOf(segment, at, isDirectory);
      if (!known) {
        byPath.set(at, entry);
        parent.entries.push(entry);
      }
      parent = entry;
    }
  }
  for (const { entries } of byPath.values()) entries.sort(inOrder);
  return root;
}

function entryOf(name: string, path: string, isDirectory: boolean): Growing {
  return { name: Buffer.from(name), path, isDirectory, entries: [] };
}
