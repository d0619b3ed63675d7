import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Paths of the files that are not equal, byte for byte, in both folders. */
export function differences(one: string, other: string): string[] {
  const paths = new Set([one, other].flatMap((folder) => files(folder)));
  return [...paths].filter((path) => read(join(one, path)) !== read(join(other, path))).sort();
}

function files(folder: string): string[] {
  return globSync("**/*", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined;
  }
}
