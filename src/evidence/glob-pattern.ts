import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { compileNamePattern } from "./name-pattern.ts";
import { faultCode } from "./unusable-path.ts";

/** Maximum number of alternatives. Each is searched separately, and nested braces multiply. */
export const MAX_ALTERNATIVES = 1_000;
const MAGIC = /[*?[{(]/;

/** Upper bound of the number of patterns that braces expand to. */
export function mayHaveAlternatives(pattern: string): number {
  const open: number[] = [];
  let all = 1;
  for (const [sign] of pattern.matchAll(/\\.|[{},]/gs)) {
    if (sign === "{") open.push(1);
    if (sign === "," && open.length > 0) open.push((open.pop() ?? 0) + 1);
    if (sign === "}") all *= open.pop() ?? 1;
  }
  for (const [, from, to] of pattern.matchAll(/\{(-?\d+)\.\.(-?\d+)/g)) {
    all *= Math.abs(Number(to) - Number(from)) + 1;
  }
  return all;
}

/**
 * Folders that a glob must search but cannot read, which it skips silently. Braces and other groups end the search.
 */
export async function closedFolders(
  pattern: string,
  root: string,
  isExcluded: (path: string) => boolean,
): Promise<string[]> {
  const parts = pattern.split("/").filter((part) => part !== "");
  const first = parts.findIndex((part) => MAGIC.test(part));
  const closed: string[] = [];
  await look(
    resolve(root, pattern.startsWith("/") ? "/" : "", parts.slice(0, first).join("/")),
    parts.slice(first),
  );
  return closed;

  async function look(folder: string, [part = "", ...rest]: readonly string[]): Promise<void> {
    let entries: Dirent[];
    try {
      entries = await readdir(folder, { withFileTypes: true });
    } catch (error) {
      if (["EACCES", "EPERM"].includes(faultCode(error))) closed.push(folder);
      return;
    }
    const anywhere = part === "**";
    if (!anywhere && rest.length === 0) return;
    const matches = anywhere ? () => true : compileNamePattern(part);
    for (const entry of entries) {
      const { name } = entry;
      const path = join(folder, name);
      if (!entry.isDirectory() || name === ".git" || isExcluded(path)) continue;
      if (name.startsWith(".") && !part.startsWith(".")) continue;
      if (matches?.(name)) await look(path, anywhere ? [part, ...rest] : rest);
    }
  }
}
