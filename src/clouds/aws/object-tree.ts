import { InputError, type InputProblem } from "../../api/client/errors.ts";
import { inOrder, type TreeNode } from "../../evidence/tree-node.ts";
import type { BucketObject } from "./bucket.ts";

export interface ObjectNode extends TreeNode {
  readonly entries: readonly ObjectNode[];
  /** The object of a leaf. */
  readonly object?: BucketObject;
}

/** Problems in a message. Keys of a bucket usually have one fault in common. */
const NAMED = 10;

/** A directory, or an object. */
type Folder = Map<string, Folder | BucketObject>;

/**
 * The tree of files that a client would get by joining a folder and each key: empty segments mean nothing.
 *
 * @throws InputError naming the keys that have no file of their own in it
 */
export function objectTree(objects: readonly BucketObject[]): ObjectNode {
  const root: Folder = new Map();
  const problems: string[] = [];
  for (const object of objects) {
    const problem = add(root, object);
    if (problem !== undefined) problems.push(problem);
  }
  if (problems.length === 0) return nodeOf("", "", root);
  const more = problems.length - NAMED;
  if (more > 0) problems.splice(NAMED, more, `${more} more keys have no file of their own`);
  throw new InputError(
    problems.map((problem): InputProblem => ({ input: "bucket", problem })),
    { advice: "Select the objects to report with include or exclude." },
  );
}

function add(root: Folder, object: BucketObject): string | undefined {
  const { key } = object;
  const segments = key.split("/").filter((segment) => segment !== "");
  const name = segments.pop();
  if (name === undefined) return `the key '${key}' names no file`;
  // Neither can be in the path of an address.
  if ([...segments, name].some((segment) => segment === "." || segment === ".."))
    return `the key '${key}' contains '.' or '..' between its slashes`;
  let folder = root;
  for (const segment of segments) {
    const next = folder.get(segment) ?? new Map();
    if (!(next instanceof Map))
      return `the keys '${next.key}' and '${key}' need a file and a directory of one name`;
    folder.set(segment, next);
    folder = next;
  }
  const other = folder.get(name);
  if (other === undefined) {
    folder.set(name, object);
    return undefined;
  }
  if (other instanceof Map)
    return `the keys '${key}' and '${firstOf(other)}' need a file and a directory of one name`;
  return `the keys '${other.key}' and '${key}' name the same file`;
}

function firstOf(folder: Folder): string {
  for (const entry of folder.values()) return entry instanceof Map ? firstOf(entry) : entry.key;
  return "";
}

function nodeOf(name: string, path: string, entry: Folder | BucketObject): ObjectNode {
  const node = { name: Buffer.from(name), path: path || "/" };
  if (!(entry instanceof Map)) return { ...node, isDirectory: false, entries: [], object: entry };
  const entries = [...entry].map(([each, below]) => nodeOf(each, `${path}/${each}`, below));
  return { ...node, isDirectory: true, entries: entries.sort(inOrder) };
}
