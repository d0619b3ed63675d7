import { createHash, type Hash, hash } from "node:crypto";
import { readFileSync, readlinkSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { InputError } from "../api/client/errors.ts";
import { readTree, type TreeEntry } from "./directory-tree.ts";
import { findExcluded, parseIgnoreFile } from "./exclusions.ts";
import { digestOfFile, unreadableArtifact } from "./fingerprint.ts";
import { kindOf, unusableFile, whyUnusable } from "./unusable-path.ts";

const IGNORE_FILE = ".kosli_ignore";

/**
 * The lower-case sha256 of a string with digests of every entry, depth first and in byte order of the names: the hex
 * sha256 of its name; then, for a file or a link to a file, of its content, or, for a link to a directory, of the link's
 * text.
 *
 * `exclude` and the directory's `.kosli_ignore` omit entries. As in other clients, `.kosli_ignore` itself counts
 * unless a pattern matches it.
 *
 * @throws InputError if the path is not a directory, or something in it is unreadable or neither file, directory nor
 * link; a FIFO or device is never opened
 */
export async function fingerprintDirectory(
  path: string,
  { exclude = [] }: { exclude?: readonly string[] } = {},
): Promise<string> {
  await requireDirectory(path);
  const root = await readTree(path);
  const excluded = findExcluded(root, exclude, "exclude");
  const ignoreFile = root.entries.find(({ name }) => name.toString() === IGNORE_FILE);
  if (ignoreFile !== undefined) {
    for (const left of findExcluded(root, readIgnoreFile(ignoreFile), IGNORE_FILE)) excluded.add(left);
  }
  const sum = createHash("sha256");
  await addEntries(root, excluded, sum);
  return sum.digest("hex");
}

async function requireDirectory(path: string): Promise<void> {
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) return;
    throw unusableFile("artifact", `'${path}' is ${kindOf(stats)}, not a directory`, {
      advice: stats.isFile() ? "Set artifact-type: file to fingerprint a file." : "",
    });
  } catch (error) {
    throw error instanceof InputError ? error : unreadableArtifact(path, error);
  }
}

/** A directory of that name has no patterns. */
function readIgnoreFile(entry: TreeEntry): string[] {
  try {
    const isFile = statSync(entry.location).isFile();
    return isFile ? parseIgnoreFile(readFileSync(entry.location, "utf8")) : [];
  } catch (error) {
    throw unreadable(entry, error);
  }
}

async function addEntries(directory: TreeEntry, excluded: ReadonlySet<string>, sum: Hash): Promise<void> {
  if (directory.fault !== undefined) throw unreadable(directory, directory.fault);
  for (const entry of directory.entries) {
    if (excluded.has(entry.path)) continue;
    sum.update(hash("sha256", entry.name));
    if (entry.isDirectory) await addEntries(entry, excluded, sum);
    else sum.update(await digestOfLeaf(entry));
  }
}

async function digestOfLeaf(entry: TreeEntry): Promise<string> {
  try {
    if (entry.isFile) return await digestOfFile(entry.location);
    const stats = statSync(entry.location);
    if (stats.isFile()) return await digestOfFile(entry.location);
    if (stats.isDirectory()) return hash("sha256", readlinkSync(entry.location, "buffer"));
    const problem = `'${entry.location}' is ${kindOf(stats)} and has no content to fingerprint`;
    const advice = `Exclude it with a line in ${IGNORE_FILE}.`;
    throw unusableFile("artifact", problem, { advice });
  } catch (error) {
    throw error instanceof InputError ? error : unreadable(entry, error);
  }
}

function unreadable(entry: TreeEntry, cause: unknown): InputError {
  const what = entry.isLink ? "points to something that" : "";
  const problem = [`'${entry.location}'`, what, whyUnusable(cause)].filter(Boolean).join(" ");
  return unusableFile("artifact", problem, { cause });
}
