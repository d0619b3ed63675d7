import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { BUNDLES, SHARED } from "../bundle.ts";
import type { Measurements } from "./rows.ts";

/** A minified bundle of only core, undici, zod and github, measured before there was an action. */
const LIBRARIES_ALONE_KB = 1120;
const MEGABYTE = 1_000_000;
/** A release is far below it, even after years of growth. */
const MAX_ARCHIVE_BYTES = 100 * MEGABYTE;

/** Sizes of the actions in storage, download and memory. */
export async function sizes(root: string): Promise<Measurements<"sizes">> {
  const dist = join(root, "dist");
  const shared = bytesOf(join(dist, SHARED));
  const folders = largest(BUNDLES.map((name) => [name, bytesOf(join(dist, name))]));
  const start = largest(startSizes(root));
  // The archive of a release that runners download.
  const archive = execFileSync("git", ["archive", "--format=tar.gz", "HEAD"], {
    cwd: root,
    maxBuffer: MAX_ARCHIVE_BYTES,
  });
  return {
    dist: { value: bytesOf(dist) / MEGABYTE },
    action: { value: (folders.value + shared) / MEGABYTE, note: folders.name },
    download: { value: archive.length / MEGABYTE, note: "git archive of the last commit" },
    atStart: { value: start.value, note: start.name },
  };
}

/** Code that each bundle compiles at its start, as a multiple of its libraries' size. */
function startSizes(root: string): (readonly [string, number])[] {
  return BUNDLES.map((name) => {
    const files = loadedAtStart(join(root, "dist", name, "index.js"));
    return [name, sum(files.map((file) => statSync(file).size)) / 1000 / LIBRARIES_ALONE_KB];
  });
}

/** A program with its static imports, direct and indirect. */
function loadedAtStart(program: string): string[] {
  const files = new Set([program]);
  // Files added during the iteration are visited too.
  for (const file of files) {
    for (const [, path = ""] of readFileSync(file, "utf8").matchAll(/\bfrom\s*"(\.[^"]+)"/g)) {
      files.add(join(dirname(file), path));
    }
  }
  return [...files];
}

function bytesOf(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return sum(files.map((entry) => statSync(join(entry.parentPath, entry.name)).size));
}

function largest(sizes: readonly (readonly [string, number])[]): { name: string; value: number } {
  const [name = "", value = Number.NaN] = [...sizes].sort(([, a], [, b]) => b - a)[0] ?? [];
  return { name, value };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
