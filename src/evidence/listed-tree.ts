import { inOrder, type TreeNode } from "./tree-node.ts";

/** A file or directory that is not on disk. */
export interface ListedNode<Content> extends TreeNode {
  readonly entries: readonly ListedNode<Content>[];
  /** The value listed with the path; undefined for a directory. */
  readonly content: Content | undefined;
}

/** The paths do not make a directory. Its message names them. */
export class UnusablePaths extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("; "));
    this.problems = problems;
  }
}

interface Growing<Content> extends ListedNode<Content> {
  readonly entries: Growing<Content>[];
  /** The first listed path that leads here. */
  readonly given: string;
}

/** Problems in a message. Paths usually have one fault in common. */
const NAMED = 10;

/**
 * The tree of files that a client would get by joining a folder and each path: empty segments and `.` mean nothing. A
 * path with a slash at its end is a directory.
 *
 * @throws UnusablePaths naming the paths that have no file of their own in it
 */
export function treeOf<Content>(
  paths: Iterable<readonly [path: string, content: Content]>,
): ListedNode<Content> {
  const root: Growing<Content> = nodeOf("", "/", "", true);
  const byPath = new Map([["/", root]]);
  const problems: string[] = [];
  for (const [path, content] of paths) {
    const problem = add(byPath, root, path, content);
    if (problem !== undefined) problems.push(problem);
  }
  if (problems.length > NAMED)
    problems.splice(NAMED, problems.length, `${problems.length - NAMED} more paths`);
  if (problems.length > 0) throw new UnusablePaths(problems);
  for (const { entries } of byPath.values()) entries.sort(inOrder);
  return root;
}

/** @returns the reason if the path has no file of its own */
function add<Content>(
  byPath: Map<string, Growing<Content>>,
  root: Growing<Content>,
  path: string,
  content: Content,
): string | undefined {
  const segments = path.split("/").filter((segment) => segment !== "" && segment !== ".");
  if (segments.includes("..")) return `'${path}' contains '..' between its slashes`;
  if (segments.length === 0 || path.includes("\0")) return `'${path}' names no file`;
  let parent = root;
  for (const [index, name] of segments.entries()) {
    const at = `/${segments.slice(0, index + 1).join("/")}`;
    const isDirectory = index < segments.length - 1 || path.endsWith("/");
    const known = byPath.get(at);
    if (known && !(known.isDirectory && isDirectory)) {
      const what =
        known.isDirectory === isDirectory ? "name the same file" : "need a file and a directory of one name";
      return `'${known.given}' and '${path}' ${what}`;
    }
    const entry = known ?? nodeOf(name, at, path, isDirectory, isDirectory ? undefined : content);
    if (!known) {
      byPath.set(at, entry);
      parent.entries.push(entry);
    }
    parent = entry;
  }
  return undefined;
}

function nodeOf<Content>(
  name: string,
  path: string,
  given: string,
  isDirectory: boolean,
  content?: Content,
): Growing<Content> {
  return { name: Buffer.from(name), path, given, isDirectory, entries: [], content };
}
