import { createHash } from "node:crypto";
import { asCommitSha, type CommitFacts, signature } from "../api/commit-facts.ts";
import { type Clone, git, gitDirOf } from "./git.ts";
import { storedCommit } from "./stored-commit.ts";

/** In milliseconds. Reading one object should not take longer than GitHub may. */
const TIME_LIMIT_MS = 5_000;

/**
 * Reads a commit from the clone in the workspace. Undefined when there is no clone, no git, or no such commit
 * in the clone.
 *
 * The commit's own object is read instead of git's log of it: in a shallow clone the log shows the oldest commit
 * without its parents.
 */
export async function readLocalCommit(
  place: Clone & { readonly sha: string },
): Promise<CommitFacts | undefined> {
  const sha = asCommitSha(place.sha);
  if (sha === undefined) return undefined;
  // Starting git takes longer than everything else.
  const stored = ifReadable(() => storedCommit(gitDirOf(place), sha));
  if (stored !== undefined && nameOf(stored) === sha) return parseCommit(stored);
  const object = await git(place, ["cat-file", "commit", sha], TIME_LIMIT_MS);
  if (object === undefined || nameOf(object) !== sha) return undefined;
  return parseCommit(object);
}

/** Ignores errors: git itself then reads the commit or reports the fault. */
function ifReadable(read: () => Buffer | undefined): Buffer | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** SHA of a commit object. A different SHA means that another object was read, such as an annotated tag's target. */
function nameOf(object: Buffer): string {
  return createHash("sha1").update(`commit ${object.length}\0`).update(object).digest("hex");
}

/** Header lines, continued by lines that begin with a blank, then an empty line and the message. */
function parseCommit(object: Buffer): CommitFacts {
  const end = object.indexOf("\n\n");
  const head = end < 0 ? object : object.subarray(0, end);
  const decode = decoderOf(head);
  const headers = decode(head).split("\n");
  const values = (name: string) =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const { author, timestamp } = parseAuthor(values("author")[0]);
  return {
    message: end < 0 ? "" : decode(object.subarray(end + 2)),
    author,
    timestamp,
    parents: values("parent"),
  };
}

/** `Name <email> 1700000000 +0100` */
function parseAuthor(line = ""): Pick<CommitFacts, "author" | "timestamp"> {
  const parts = /^(?<name>[^<]*)<(?<email>[^>]*)> (?<seconds>-?\d+) [+-]\d+$/.exec(line)?.groups;
  if (!parts) return {};
  return { author: signature(parts["name"], parts["email"]), timestamp: Number(parts["seconds"]) };
}

/** Text is UTF-8 unless the commit says otherwise. */
function decoderOf(head: Buffer): (bytes: Buffer) => string {
  const encoding = /^encoding (.+)/m.exec(head.toString("latin1"))?.[1] ?? "utf-8";
  try {
    const decoder = new TextDecoder(encoding);
    return (bytes) => decoder.decode(bytes);
  } catch {
    return (bytes) => bytes.toString("utf8");
  }
}
