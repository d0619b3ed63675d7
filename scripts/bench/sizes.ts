import { execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { BUNDLES } from "../bundle.ts";
import type { Measurements } from "./rows.ts";

/** A minified bundle of nothing but core, undici, zod and github, as it was measured before there was an action. */
const LIBRARIES_ALONE_KB = 1120;
const MEGABYTE = 1_000_000;
/** A release of a few years' growth is still far below it. */
const MAX_ARCHIVE_BYTES = 100 * MEGABYTE;

/** What is stored, downloaded and loaded of the actions. */
export async function sizes(root: string): Promise<Measurements<"sizes">> {
  const dist = join(root, "dist");
  const shared = readdirSync(dist, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !BUNDLES.includes(entry.name))
    .map((entry) => bytesOf(join(dist, entry.name)));
  const folders = largest(BUNDLES.map((name) => [name, bytesOf(join(dist, name))]));
  const start = largest(startSizes(root).map(({ name, start }) => [name, start]));
  // What GitHub makes of a release for a runner.
  const archive = execFileSync("git", ["archive", "--format=tar.gz", "HEAD"], {
    cwd: root,
    maxBuffer: MAX_ARCHIVE_BYTES,
  });
  return {
    dist: { value: bytesOf(dist) / MEGABYTE },
    action: { value: (folders.value + sum(shared)) / MEGABYTE, note: folders.name },
    download: { value: archive.length / MEGABYTE, note: "git archive of the last commit" },
    atStart: { value: start.value, note: start.name },
  };
}

/** What each bundle compiles before it can begin, and all it may load, as parts of its libraries alone. */
function startSizes(root: string): { name: string; start: number; whole: number }[] {
  return BUNDLES.map((name) => {
    const folder = join(root, "dist", name);
    const sizeOf = (file: string) => statSync(join(folder, file)).size / 1000 / LIBRARIES_ALONE_KB;
    const files = readdirSync(folder).filter((file) => file.endsWith(".js"));
    return { name, start: sizeOf("index.js"), whole: sum(files.map(sizeOf)) };
  });
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
