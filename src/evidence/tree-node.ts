/** A directory or a leaf of a tree: files of a disk, or objects of a bucket. */
export interface TreeNode {
  /** In bytes, since it need not be UTF-8. */
  readonly name: Buffer;
  /** Path from the root, which is `/`: `/src/main.ts`. */
  readonly path: string;
  readonly isDirectory: boolean;
  /** A directory's entries in byte order of their names. */
  readonly entries: readonly TreeNode[];
}

export function inOrder(a: Pick<TreeNode, "name">, b: Pick<TreeNode, "name">): number {
  return Buffer.compare(a.name, b.name);
}
