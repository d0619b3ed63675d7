import { spawnSync } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { copyLauncher, LAUNCHER, type LauncherCopy } from "./launcher-copy.ts";

let copy: LauncherCopy;
beforeEach(async () => {
  copy = await copyLauncher();
});
afterEach(() => copy.remove());

describe("job settings for every shell", () => {
  test.each([
    ["a search path for cd", { CDPATH: "/:.." }],
    ["other word separators", { IFS: "/n" }],
    ["POSIX mode", { POSIXLY_CORRECT: "1" }],
    ["POSIX mode as an option", { SHELLOPTS: "posix" }],
    ["an option that disables globbing", { SHELLOPTS: "noglob" }],
    ["an option that fails unmatched patterns", { BASHOPTS: "failglob" }],
    ["an option that drops unmatched patterns", { BASHOPTS: "nullglob" }],
    ["an option that traces commands", { SHELLOPTS: "verbose:xtrace" }],
    ["missing startup files", { BASH_ENV: "/nowhere/start", ENV: "/nowhere/start" }],
    ["an unknown locale", { LC_ALL: "nonsense", LANG: "nonsense" }],
    ["a locale with its own letters", { LC_ALL: "tr_TR.UTF-8" }],
    ["the launcher's own variables", { node: "x", main: "x", found: "x", newest: "x", name: "x" }],
  ])("do not change which Node is found: %s", async (_, env) => {
    const foreign = await copy.put("externals/node24/bin/node", "#!/nowhere/interpreter\n");
    await chmod(foreign, 0o755);
    await mkdir(join(copy.root, "w/_temp"), { recursive: true });
    await copy.fakeNode("tools/node/24.4.0/x64/bin/node");
    const best = await copy.fakeNode("tools/node/24.11.0/x64/bin/node");

    const run = copy.launch({
      RUNNER_TEMP: join(copy.root, "w/_temp"),
      RUNNER_TOOL_CACHE: join(copy.root, "tools"),
      ...env,
    });

    expect(run.node, run.stderr).toBe(best);
    expect(run.status).toBe(0);
  });

  test("do not change it from a startup file, whose errors do not stop the step", async () => {
    const own = await copy.fakeNode("tools/node/24.4.0/x64/bin/node");
    const ignored = `${dirname(copy.root)}/*/tools/node/*/*/bin/*`;
    // The shell expands the name of its startup file, so the name has no special characters, unlike the other
    // folders.
    const start = join(dirname(copy.root), "start.sh");
    const settings = ["false", "set -f", "shopt -s failglob", `GLOBIGNORE='${ignored}'`, "cd() { exit 7; }"];
    await writeFile(start, settings.join("\n"));

    const run = copy.launch({ RUNNER_TOOL_CACHE: join(copy.root, "tools"), BASH_ENV: start });
    expect(run).toMatchObject({ node: own, status: 0, stderr: "" });
  });
});

describe("a caller", () => {
  test.each(["", "set -u;", "set -e;", "set -euo pipefail;", "set -f;", "shopt -s nullglob failglob;"])(
    "that uses '%s' gets the same Node and exit status",
    async (settings) => {
      await copy.fakeNode("path/node");
      await copy.put("action/dist/attest/index.js", "process.exit(42)");
      const call = (node: string) =>
        spawnSync(
          join(copy.shellOnly, "bash"),
          ["--norc", "-c", `${settings} "$GITHUB_ACTION_PATH/../launch.sh" attest`],
          {
            env: {
              PATH: `${node}:${copy.shellOnly}`,
              GITHUB_ACTION_PATH: join(copy.root, "action/actions/attest"),
            },
            encoding: "utf8",
          },
        );

      expect(call(join(copy.root, "path"))).toMatchObject({ status: 0, stderr: "" });
      expect(call(dirname(process.execPath))).toMatchObject({ status: 42, stdout: "", stderr: "" });
    },
  );
});

describe("NODE_OPTIONS of the job", () => {
  const env = (options: string) => ({
    PATH: `${dirname(process.execPath)}:${copy.shellOnly}`,
    NODE_OPTIONS: options,
  });

  test("reaches the program", async () => {
    await copy.put("action/dist/attest/index.js", "console.log(process.env.NODE_OPTIONS)");

    expect(copy.launch(env("--max-old-space-size=200"))).toMatchObject({
      status: 0,
      stdout: "--max-old-space-size=200\n",
    });
  });

  test("with a missing module ends in one error that says so", async () => {
    await copy.put("action/dist/attest/index.js", "console.log('it ran')");

    const run = copy.launch(env("--require ./missing-module.js"));

    expect(run.stdout).toBe(
      "::error title=NODE_OPTIONS::Node.js does not start with the NODE_OPTIONS of this job: see the lines above. Set NODE_OPTIONS to an empty text for this step, or correct it\n",
    );
    expect(run.stderr).toContain("missing-module.js");
    expect(run.status).toBe(1);
  });

  test("unknown to every Node leaves the one on PATH without a version, and the log says so", () => {
    const run = copy.launch(env("--no-such-option"));

    expect(run.stdout).toMatch(/^::error title=Node\.js is missing::.*does not tell its version.*\n$/);
    expect(run.status).toBe(1);
  });

  test("does not stop the search at a Node that the kernel refuses to run", async () => {
    const foreign = await copy.put("__e/node24/bin/node", "#!/nowhere/interpreter\n");
    await chmod(foreign, 0o755);
    const next = await copy.fakeNode("tools/node/24.4.0/x64/bin/node");

    const run = copy.launch({
      RUNNER_TOOL_CACHE: join(copy.root, "tools"),
      NODE_OPTIONS: "--enable-source-maps",
    });
    expect(run).toMatchObject({ node: next, status: 0 });
  });
});

/** Writes its process id, and waits for input that never arrives. */
const HANGS = `#!/usr/bin/env bash
echo $$ > pid
read -r _ <> never-written
`;

describe("a Node on PATH", () => {
  test("that is a folder is ignored", async () => {
    await mkdir(join(copy.root, "path/node"), { recursive: true });

    const run = copy.launch({ PATH: `${join(copy.root, "path")}:${copy.shellOnly}` });

    expect(run.stdout).toMatch(/^::error title=Node\.js is missing::.*none was found.*\n$/);
    expect(run).toMatchObject({ status: 1, stderr: "" });
  });

  test("whose version lacks its line break is understood", async () => {
    const node = await copy.fakeNode("path/node", "v24.4.0pid=12");

    expect(copy.launch({ PATH: `${dirname(node)}:${copy.shellOnly}` })).toMatchObject({ node, status: 0 });
  });

  test("that never prints its version is stopped", async () => {
    const hanging = await copy.fakeNode("path/node");
    await copy.put("path/node", HANGS);
    spawnSync("mkfifo", [join(copy.root, "never-written")]);

    const run = copy.launch({ PATH: `${dirname(hanging)}:${copy.shellOnly}` });

    expect(run.stdout).toMatch(/^::error title=Node\.js is missing::.*does not tell its version.*\n$/);
    expect(run).toMatchObject({ status: 1, stderr: "" });
    const pid = Number(await readFile(join(copy.root, "pid"), "utf8"));
    expect(pid).toBeGreaterThan(1);
    await expect.poll(() => isRunning(pid), { timeout: 5000 }).toBe(false);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("the runner's temporary folder", () => {
  test.each(["is read-only", "is a file", "is missing"])("that %s does not fail the step", async (state) => {
    await copy.put("action/dist/attest/index.js", "console.log('it ran')");
    const temp = join(copy.root, "temp");
    if (state === "is a file") await copy.put("temp", "");
    if (state === "is read-only") {
      await mkdir(temp);
      await chmod(temp, 0o555);
    }

    const run = copy.launch({
      PATH: `${dirname(process.execPath)}:${copy.shellOnly}`,
      RUNNER_TEMP: temp,
    });

    expect(run).toMatchObject({ status: 0, stdout: "it ran\n", stderr: "" });
  });
});

/** Features newer than bash 3.2, the version of macOS. */
const LATER: readonly RegExp[] = [
  /\b(?:mapfile|readarray|coproc)\b/,
  /\b(?:declare|local|typeset)\s+-[a-zA-Z]*[Anglu]/,
  /\$\{[^}]*(?:\^\^?|,,?|@[A-Za-z])\}/,
  /&>>|\|&|;;?&/,
  /\[\[? -[vR] /,
  /\bwait -[np]|\bprintf -v|\bread [^\n]*-[iN]\b|\bread [^\n]*-t ["']?(?:0?\.\d|0\b)/,
  /\$\{[\w@*]+:\s*-\d/,
  /\{-?\d+\.\.-?\d+\.\.|\$'[^']*\\[uU]/,
  /\b(?:EPOCH(?:SECONDS|REALTIME)|BASHPID|SRANDOM|BASH_ARGV0)\b/,
  /\bshopt -[su] [^\n]*(?:globstar|lastpipe|globasciiranges|inherit_errexit|localvar_\w+|assoc_expand_once)/,
  /\bexec \{\w+\}|\$\{![\w]+@/,
];

test("the launcher uses only features of bash 3.2", async () => {
  const code = (await readFile(LAUNCHER, "utf8")).replace(/^\s*#.*$/gm, "");
  const found = LATER.flatMap((later) => code.match(new RegExp(later, "g")) ?? []);
  expect(found).toEqual([]);
  expect(spawnSync("bash", ["-n", LAUNCHER], { encoding: "utf8" })).toMatchObject({ status: 0, stderr: "" });
});
