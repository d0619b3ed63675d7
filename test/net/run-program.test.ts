import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Program, ProgramNotStarted, runProgram } from "../../src/net/run-program.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "run program "));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Runs a few lines of JavaScript as the program, and returns the output with the exit code. */
async function run(script: string, options: Partial<Program> = {}) {
  const chunks: Buffer[] = [];
  const end = await runProgram({
    program: process.execPath,
    args: ["-e", script],
    env: {},
    signal: new AbortController().signal,
    onStdout: (chunk) => chunks.push(chunk),
    ...options,
  });
  return { ...end, stdout: Buffer.concat(chunks).toString() };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The process id that a script writes into a file by `writePid`. */
async function pidIn(path: string): Promise<number> {
  while (!existsSync(path) || readFileSync(path, "utf8") === "") await delay(5);
  return Number(readFileSync(path, "utf8"));
}

function writePid(path: string): string {
  return `require("fs").writeFileSync(${JSON.stringify(path)}, String(process.pid));`;
}

describe("a program that runs to its end", () => {
  test("returns its exit code and its output, byte for byte", async () => {
    const size = 3 * 1024 * 1024;
    const script = `process.stdout.write("é".repeat(${size})); process.stderr.write("warning"); process.exitCode = 3;`;
    expect(await run(script)).toEqual({ exitCode: 3, stderr: "warning", stdout: "é".repeat(size) });
  });

  test("gets its arguments unchanged, only the given variables, and no input", async () => {
    const args = ["a b", '"quoted" $HOME `id`', "*", "--flag=;exit 1", "", "日本"];
    const script =
      "console.log(JSON.stringify([process.argv.slice(1), process.env, fs.readFileSync(0).length]))";
    const { stdout } = await run("", { args: ["-e", script, "--", ...args], env: { ONE: "1" } });
    expect(JSON.parse(stdout)).toEqual([args, { ONE: "1" }, 0]);
  });

  test("is found on the PATH of its own variables", async () => {
    const path = join(folder, "greeting");
    writeFileSync(path, "#!/bin/sh\necho hello\n");
    chmodSync(path, 0o755);
    expect((await run("", { program: "greeting", args: [], env: { PATH: folder } })).stdout).toBe("hello\n");
  });

  test("keeps the end of a long stderr, which has the reason", async () => {
    const { stderr } = await run('process.stderr.write("é".repeat(1e6) + "the reason")');
    expect(stderr).toBe(`${"é".repeat(16_384 - 10)}the reason`);
  });

  test("reads its input, and may leave it unread", async () => {
    const input = "x".repeat(1_000_000);
    const { stdout } = await run("process.stdout.write(fs.readFileSync(0))", { input });
    expect(stdout).toBe(input);
    expect(await run("process.exit(4)", { input })).toEqual({ exitCode: 4, stderr: "", stdout: "" });
  });

  test("has no exit code when the system ended it", async () => {
    expect(await run('process.kill(process.pid, "SIGKILL")')).toMatchObject({ exitCode: null });
  });

  test("is not waited for when its child process keeps the output open", async () => {
    const file = join(folder, "left");
    const left = `${writePid(file)} setInterval(() => {}, 1e6)`;
    const script = `
      const { spawn } = require("child_process");
      spawn(process.execPath, ["-e", ${JSON.stringify(left)}], { detached: true, stdio: "inherit" }).unref();
      console.log("done");`;
    const { exitCode, stdout } = await run(script);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "done\n" });
    const pid = await pidIn(file);
    expect(isAlive(pid)).toBe(true);
    process.kill(pid);
  });
});

describe("a program that does not start", () => {
  const notStarted = async (options: Partial<Program>) => {
    const error = await run("", options).catch((thrown: unknown) => thrown);
    if (!(error instanceof ProgramNotStarted)) throw error;
    return error;
  };

  test("is absent when no program has its name", async () => {
    expect(await notStarted({ program: "no-such-program", env: { PATH: folder } })).toMatchObject({
      absent: true,
    });
    expect(await notStarted({ program: join(folder, "none") })).toMatchObject({ absent: true });
  });

  test("exists, with the reason, when it may not be executed or its arguments cannot be passed", async () => {
    const path = join(folder, "data");
    writeFileSync(path, "");
    expect(await notStarted({ program: path })).toMatchObject({
      absent: false,
      message: expect.stringContaining("EACCES"),
    });
    expect(await notStarted({ args: ["a\0b"] })).toMatchObject({ absent: false });
    expect(await notStarted({ args: ["x".repeat(10_000_000)] })).toMatchObject({
      absent: false,
      message: expect.stringContaining("E2BIG"),
    });
  });
});

describe("the signal", () => {
  const reason = new Error("the time is up");

  test("that has aborted starts nothing", async () => {
    const file = join(folder, "early");
    await expect(run(writePid(file), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    ["a program that waits", ""],
    ["one that ignores SIGTERM", 'process.on("SIGTERM", () => {});'],
  ])("ends %s, and rejects with its reason when the program has exited", async (title, deaf) => {
    const file = join(folder, title);
    const controller = new AbortController();
    const running = run(`${deaf} ${writePid(file)} setInterval(() => {}, 1e6)`, {
      signal: controller.signal,
    });
    const pid = await pidIn(file);
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(isAlive(pid)).toBe(false);
  });

  test("ends a program that floods its output", async () => {
    const controller = new AbortController();
    const flood = run('const write = () => process.stdout.write("x".repeat(1e5), write); write();', {
      signal: controller.signal,
      onStdout: () => controller.abort(reason),
    });
    await expect(flood).rejects.toBe(reason);
  });
});
