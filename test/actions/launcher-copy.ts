import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const LAUNCHER = fileURLToPath(new URL("../../actions/launch.sh", import.meta.url));

/** A copy of the launcher, isolated from the machine. */
export interface LauncherCopy {
  /** Root of all files. Its name has spaces and letters outside ASCII. */
  readonly root: string;
  /** A PATH with the shell and without Node. */
  readonly shellOnly: string;
  /** Writes a file below the root, and returns its path. */
  readonly put: (path: string, text: string) => Promise<string>;
  /** A fake Node that prints its name and arguments. */
  readonly fakeNode: (path: string, version?: string) => Promise<string>;
  /** Calls the launcher as a composite step does. */
  readonly launch: (env?: Readonly<Record<string, string>>, name?: string, cwd?: string) => Launch;
  readonly remove: () => Promise<void>;
}

interface Launch {
  readonly node: string | undefined;
  readonly count: string | undefined;
  readonly main: string | undefined;
  readonly folder: string | undefined;
  readonly cache: string | undefined;
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export async function copyLauncher(): Promise<LauncherCopy> {
  const outer = await realpath(await mkdtemp(join(tmpdir(), "launch-")));
  const root = join(outer, "mÿ höme; $(exit) 'q'");
  const shellOnly = join(root, "shell");
  const put = async (path: string, text: string) => {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return file;
  };
  const fakeNode = async (path: string, version = "v24.0.0") => {
    const script = `#!${await onPath("bash")}
if [ "$1" = --version ]; then echo '${version}'; exit; fi
printf '%s\\n' "$0" "$#" "$1" "$PWD" "\${NODE_COMPILE_CACHE-unset}"
`;
    const file = await put(path, script);
    await chmod(file, 0o755);
    return file;
  };
  const launch = (env: Readonly<Record<string, string>> = {}, name = "attest", cwd = root) => {
    const run = spawnSync(
      join(shellOnly, "bash"),
      ["--noprofile", "--norc", "-euo", "pipefail", "-c", `"$GITHUB_ACTION_PATH/../launch.sh" ${name}`],
      {
        cwd,
        env: { PATH: shellOnly, GITHUB_ACTION_PATH: join(root, "action", "actions", "attest"), ...env },
        encoding: "utf8",
      },
    );
    const [node, count, main, folder, cache] = run.stdout.split("\n");
    return { node, count, main, folder, cache, status: run.status, stdout: run.stdout, stderr: run.stderr };
  };
  await mkdir(join(root, "action", "actions", "attest"), { recursive: true });
  await cp(LAUNCHER, join(root, "action", "actions", "launch.sh"));
  await moveContainerPaths(root);
  await put(join("action", "dist", "attest", "index.js"), "");
  await mkdir(shellOnly);
  await symlink(await onPath("bash"), join(shellOnly, "bash"));
  return {
    root,
    shellOnly,
    put,
    fakeNode,
    launch,
    remove: () => rm(outer, { recursive: true, force: true }),
  };
}

/** Location of a program on the PATH of these tests. */
async function onPath(program: string): Promise<string> {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  const found = folders.map((folder) => join(folder, program)).find((path) => existsSync(path));
  if (found === undefined) throw new Error(`${program} is not on PATH`);
  return await realpath(found);
}

/** Reads container paths from a folder of the test instead of from the machine. */
async function moveContainerPaths(root: string): Promise<void> {
  const file = join(root, "action", "actions", "launch.sh");
  const quoted = root.replaceAll("'", "'\\''");
  let text = await readFile(file, "utf8");
  for (const [setting, value] of [
    ["container_externals=/__e", `container_externals='${quoted}/__e'`],
    ["alpine_marker=/etc/alpine-release", `alpine_marker='${quoted}/alpine'`],
    // Time that the launcher waits for a Node that does not respond.
    ["version_seconds=10", "version_seconds=1"],
  ] as const) {
    const moved = text.replace(`\n${setting}\n`, () => `\n${value}\n`);
    if (moved === text) throw new Error(`The launcher does not say ${setting}`);
    text = moved;
  }
  await writeFile(file, text);
}
