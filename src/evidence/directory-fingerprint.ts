import { hash } from "node:crypto";
import { readFileSync, readlinkSync, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { InputError } from "../api/client/errors.ts";
import { readTree, type TreeEntry } from "./directory-tree.ts";
import { findExcluded } from "./exclusions.ts";
import { digestOfFile, unreadableArtifact } from "./fingerprint.ts";
import { excludedBy, fingerprintTree, IGNORE_FILE, ignoreFileIn } from "./tree-fingerprint.ts";
import { kindOf, unusableFile, whyUnusable } from "./unusable-path.ts";

/**
 * The fingerprint of a directory's tree. The content of a link to a directory is the link's text.
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
  const ignoreFile = ignoreFileIn(root.entries);
  if (ignoreFile !== undefined) {
    for (const left of excludedBy(readIgnoreFile(ignoreFile), root)) excluded.add(left);
  }
  return fingerprintTree(root, excluded, { listOf, digestOf: digestOfLeaf });
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
function readIgnoreFile(entry: TreeEntry): string {
  try {
    return statSync(entry.location).isFile() ? readFileSync(entry.location, "utf8") : "";
  } catch (error) {
    throw unreadable(entry, error);
  }
}

function listOf(directory: TreeEntry): readonly TreeEntry[] {
  if (directory.fault !== undefined) throw unreadable(directory, directory.fault);
  return directory.entries;
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
