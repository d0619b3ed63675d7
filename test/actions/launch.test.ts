import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, realpath, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { copyLauncher, LAUNCHER, type LauncherCopy } from "./launcher-copy.ts";

let copy: LauncherCopy;
let root: string;
let shellOnly: string;

beforeEach(async () => {
  copy = await copyLauncher();
  ({ root, shellOnly } = copy);
});
afterEach(() => copy.remove());

const put = (path: string, text: string) => copy.put(path, text);
const fakeNode = (path: string, version?: string) => copy.fakeNode(path, version);
const launch = (env?: Record<string, string>, name?: string, cwd?: string) => copy.launch(env, name, cwd);

describe("the Node that runs the action", () => {
  test("is the runner's own in a container job", async () => {
    const own = await fakeNode("__e/node24/bin/node");
    await fakeNode("externals/node24/bin/node");
    await fakeNode("tools/node/24.99.0/x64/bin/node");

    const run = launch({ RUNNER_TEMP: join(root, "w", "_temp"), RUNNER_TOOL_CACHE: join(root, "tools") });

    expect(run.node).toBe(own);
    expect(run.status).toBe(0);
  });

  test("is the Alpine build in an Alpine container, and only there", async () => {
    const glibc = await fakeNode("__e/node24/bin/node");
    const musl = await fakeNode("__e/node24_alpine/bin/node");

    expect(launch().node).toBe(glibc);
    await put("alpine", "3.22.0\n");
    expect(launch().node).toBe(musl);
    await rm(musl);
    expect(launch().status).toBe(1);
  });

  test("is a self-hosted runner's own before one in the tool cache", async () => {
    const own = await fakeNode("externals/node24/bin/node");
    await fakeNode("tools/node/24.99.0/x64/bin/node");
    await mkdir(join(root, "w", "_temp"), { recursive: true });

    const run = launch({ RUNNER_TEMP: join(root, "w", "_temp"), RUNNER_TOOL_CACHE: join(root, "tools") });

    expect(await realpath(run.node ?? "")).toBe(own);
  });

  test("is the highest version 24 of the tool cache, compared by number and not by name", async () => {
    for (const version of ["20.99.9", "24.9.12", "24.11.9", "24.11.10-rc.1", "25.1.0"]) {
      await fakeNode(`tools/node/${version}/x64/bin/node`);
    }
    const best = await fakeNode("tools/node/24.11.10/x64/bin/node");
    await mkdir(join(root, "path"));
    await fakeNode("path/node");

    expect(
      launch({ RUNNER_TOOL_CACHE: join(root, "tools"), PATH: `${join(root, "path")}:${shellOnly}` }).node,
    ).toBe(best);
  });

  test("matches the machine's processor in the tool cache, even if its version is older", async () => {
    const x64 = await fakeNode("tools/node/24.1.0/x64/bin/node");
    const arm64 = await fakeNode("tools/node/24.2.0/arm64/bin/node");
    const env = { RUNNER_TOOL_CACHE: join(root, "tools") };

    expect(launch({ ...env, RUNNER_ARCH: "X64" }).node).toBe(x64);
    expect(launch({ ...env, RUNNER_ARCH: "ARM64" }).node).toBe(arm64);
    expect(launch({ ...env, RUNNER_ARCH: "ARM" }).node).toBe(arm64);
  });

  test.each(["externals/node24/bin/node.exe", "tools/node/24.4.0/x64/node.exe"])(
    "is in %s on Windows",
    async (path) => {
      const own = await fakeNode(path);
      await mkdir(join(root, "w", "_temp"), { recursive: true });

      const run = launch({
        RUNNER_TEMP: join(root, "w", "_temp"),
        RUNNER_TOOL_CACHE: join(root, "tools"),
        RUNNER_ARCH: "X64",
      });

      expect(await realpath(run.node ?? "")).toBe(own);
    },
  );

  test.each(["v22.19.0", "v22.20.1", "v23.0.0", "v24.21.0", "v100.0.0"])(
    "may be Node %s on PATH",
    async (version) => {
      const own = await fakeNode("path/node", version);

      expect(launch({ PATH: `${join(root, "path")}:${shellOnly}` }).node).toBe(own);
    },
  );

  test.each(["v20.20.2", "v22.18.9", "v22.9.0", "v9.99.99"])(
    "may not be Node %s on PATH, which the error names",
    async (version) => {
      await fakeNode("path/node", version);

      const run = launch({ PATH: `${join(root, "path")}:${shellOnly}` });

      expect(run.stdout).toBe(
        `::error title=Node.js is missing::This action needs Node.js 22.19 or later, and PATH has ${version}. Install Node.js 24 with actions/setup-node before this step, or update the runner\n`,
      );
      expect(run.stderr).toBe("");
      expect(run.status).toBe(1);
    },
  );

  test.each(["", "nonsense", "v22", "v22..", "v24.1.0::add-mask::x"])(
    "may not be one of version '%s', which is not printed as a command",
    async (version) => {
      await fakeNode("path/node", version);

      const run = launch({ PATH: `${join(root, "path")}:${shellOnly}` });

      expect(run.stdout).toMatch(/^::error title=Node.js is missing::This action needs [^:]*\n$/);
      expect(run.status).toBe(1);
    },
  );

  test("is the next one when the kernel refuses to run the first", async () => {
    const foreign = await put("externals/node24/bin/node", "#!/nowhere/interpreter\n");
    await chmod(foreign, 0o755);
    await mkdir(join(root, "w", "_temp"), { recursive: true });
    const next = await fakeNode("tools/node/24.4.0/x64/bin/node");

    const run = launch({ RUNNER_TEMP: join(root, "w", "_temp"), RUNNER_TOOL_CACHE: join(root, "tools") });

    expect(run.node).toBe(next);
    expect(run.status).toBe(0);
  });

  test("is never a folder or a file that is not executable", async () => {
    await mkdir(join(root, "tools/node/24.4.0/x64/bin/node"), { recursive: true });
    await put("tools/node/24.3.0/x64/bin/node", "not executable");
    await put("externals/node24/bin/node", "not executable");
    await mkdir(join(root, "w", "_temp"), { recursive: true });

    const run = launch({ RUNNER_TEMP: join(root, "w", "_temp"), RUNNER_TOOL_CACHE: join(root, "tools") });

    expect(run.stdout).toContain("and none was found.");
    expect(run.stderr).toBe("");
    expect(run.status).toBe(1);
  });
});

describe("the program", () => {
  test("gets its own file as the one argument, and the step's working directory", async () => {
    await fakeNode("path/node");
    const folder = join(root, "work space");
    await mkdir(folder);

    const run = launch({ PATH: `${join(root, "path")}:${shellOnly}` }, "attest", folder);

    expect(run.count).toBe("1");
    expect(await realpath(run.main ?? "")).toBe(join(root, "action", "dist", "attest", "index.js"));
    expect(run.folder).toBe(folder);
  });

  test("gets inputs with quotes, line breaks and shell syntax unchanged, and none is printed", async () => {
    await put("action/dist/attest/index.js", "require('fs').writeFileSync('got', process.env.INPUTS)");
    const inputs = JSON.stringify(
      { name: "a 'b' \"c\" $(touch pwned) `x` \\ %0A", list: "one\ntwo\r\n" },
      null,
      2,
    );

    const run = launch({ PATH: `${dirname(process.execPath)}:${shellOnly}`, INPUTS: inputs });

    expect(await readFile(join(root, "got"), "utf8")).toBe(inputs);
    expect(run.stdout + run.stderr).toBe("");
    expect(existsSync(join(root, "pwned"))).toBe(false);
  });

  test("fails without printing the inputs", () => {
    const run = launch({ INPUTS: '{"api-key": "secret-key"}' });

    expect(run.status).toBe(1);
    expect(run.stdout + run.stderr).not.toContain("secret-key");
  });

  test("sets the exit status of the step", async () => {
    await put("action/dist/attest/index.js", "process.exit(42)");

    expect(launch({ PATH: `${dirname(process.execPath)}:${shellOnly}` }).status).toBe(42);
  });

  test("gets signals sent to the launcher's process", async () => {
    // The program would exit later with another status, so that no process remains.
    await put(
      "action/dist/attest/index.js",
      "process.on('SIGINT', () => process.exit(130)); setTimeout(() => process.exit(7), 5000); console.log('ready')",
    );
    const child = spawn(join(root, "action", "actions", "launch.sh"), ["attest"], {
      env: { PATH: `${dirname(process.execPath)}:${shellOnly}` },
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    child.kill("SIGINT");

    expect(await once(child, "exit")).toEqual([130, null]);
  });

  test("gets a folder for compiled code that later steps share, unless the user set one", async () => {
    await fakeNode("path/node");
    const env = { PATH: `${join(root, "path")}:${shellOnly}` };

    expect(launch(env).cache).toBe("unset");
    expect(launch({ ...env, RUNNER_TEMP: "/t e" }).cache).toBe("/t e/delivery-evidence-cache");
    expect(launch({ ...env, RUNNER_TEMP: "/t e", NODE_COMPILE_CACHE: "/mine" }).cache).toBe("/mine");
    expect(launch({ ...env, RUNNER_TEMP: "/t e", NODE_COMPILE_CACHE: "" }).cache).toBe("");
  });
});

describe("a launcher that cannot start", () => {
  test("names the missing file", async () => {
    await rm(join(root, "action", "dist"), { recursive: true });

    const run = launch();

    expect(run.stdout).toBe(
      "::error title=Action is incomplete::dist/attest/index.js is missing: check the name of the action, or use a released version of it\n",
    );
    expect(run.status).toBe(1);
  });

  test.each(["''", "../attest", "'a b'", "'x::add-mask::y'", "Attest"])(
    "rejects the name %s",
    async (name) => {
      const run = launch({}, name);

      expect(run.stdout).toBe(
        "::error title=Unknown action::launch.sh needs the name of one action, such as attest\n",
      );
      expect(run.status).toBe(1);
    },
  );

  test("is executable, so that a step can call it", async () => {
    expect((await stat(LAUNCHER)).mode & 0o111).toBe(0o111);
  });
});
