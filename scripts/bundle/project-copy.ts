import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** Files of a clone that a build reads. */
const SOURCES = ["package.json", "package-lock.json", "tsconfig.json", "src", "scripts"];
/** Packages needed only for building. */
const BUILD_TOOLS =
  /^node_modules\/(?:typescript|@typescript\/.*|@vercel\/ncc|rolldown|@rolldown\/.*|@oxc-project\/types|@types\/.*|undici-types)$/;

interface Surroundings {
  readonly umask: string;
  readonly env: Readonly<Record<string, string>>;
  /** The working directory of the build. */
  readonly cwd: string;
  /** The time of the last change of each source. */
  readonly changed: Date;
}

/** Copies the sources and packages as real files, builds them there, and returns the built folder. */
export async function buildCopy(folder: string, surroundings: Surroundings): Promise<string> {
  mkdirSync(folder, { recursive: true });
  for (const path of SOURCES) cpSync(join(project, path), join(folder, path), { recursive: true });
  for (const path of globSync("{src,scripts}/**", { cwd: folder })) {
    utimesSync(join(folder, path), surroundings.changed, surroundings.changed);
  }
  for (const path of packagesToBuild()) {
    // A package of another platform may be missing. A nested package is copied with its parent.
    cpSync(join(project, path), join(folder, path), { recursive: true });
  }
  await run(
    ["node_modules/typescript/bin/tsc", "-p", join(folder, "src"), "--noCheck"],
    folder,
    surroundings,
  );
  await run(["scripts/build.ts"], folder, surroundings);
  return join(folder, "dist");
}

function packagesToBuild(): string[] {
  const { packages } = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8"));
  const installed = new Set(globSync("node_modules/{*,@*/*}", { cwd: project }));
  return Object.keys(packages).filter(
    (path) => installed.has(path) && (packages[path].dev !== true || BUILD_TOOLS.test(path)),
  );
}

/** @throws Error with the program's output if it fails */
async function run(args: readonly string[], folder: string, surroundings: Surroundings): Promise<void> {
  const [program = "", ...rest] = args;
  const child = spawn(
    "sh",
    ["-c", 'umask "$0" && exec "$@"', surroundings.umask, process.execPath, join(folder, program), ...rest],
    {
      cwd: surroundings.cwd,
      env: { PATH: process.env["PATH"], ...surroundings.env },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const [stdout, stderr] = [child.stdout.toArray(), child.stderr.toArray()];
  const [status] = await once(child, "close");
  if (status === 0) return;
  const printed = Buffer.concat([...(await stdout), ...(await stderr)]).toString();
  throw new Error(`${program} ends with ${status} in ${folder}:\n${printed}`);
}
