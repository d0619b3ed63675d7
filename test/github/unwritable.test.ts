import { spawn } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { KEY } from "../api/connections.ts";
import { httpServer, json } from "../api/local-server.ts";
import { STEP } from "../cli/command.ts";
import { annotations } from "../faults/step.ts";
import { COMPILE_CACHE } from "../program-variables.ts";
import { readOutputs } from "./outputs-file.ts";
import { tempFolder } from "./runners.ts";

/** User for the step when the tests run as the superuser, who may write everything. */
const NOBODY = 65_534;

/** Causes that make a runner's file unwritable: each creates it and returns its path. */
const FAULTS: readonly [fault: string, make: (folder: string) => string, cause: string][] = [
  ["on a full disk", () => "/dev/full", "no space is left on the disk (ENOSPC)"],
  ["in a missing folder", (folder) => join(folder, "gone/file"), "its folder does not exist (ENOENT)"],
  ["that are directories", (folder) => folder, "it is a directory (EISDIR)"],
  [
    "that are read-only",
    (folder) => {
      const path = join(folder, "file");
      writeFileSync(path, "");
      chmodSync(path, 0o444);
      return path;
    },
    "permission denied (EACCES)",
  ],
];

/** Runs a step that records something, with the runner's files at these paths. */
async function record(
  files: Readonly<Record<string, string>>,
  { command = [process.execPath, STEP], status = 201 } = {},
) {
  const server = await httpServer((response) => json(response, status, { message: "no" }));
  const [file = "", ...args] = command;
  const child = spawn(file, [...args, "recordAndSummarize"], {
    cwd: tempFolder(),
    ...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
    env: {
      ...COMPILE_CACHE,
      INPUTS: JSON.stringify({ "api-key": KEY, org: "acme", flow: "web", "base-url": server.url }),
      ...files,
    },
  });
  const [stdout, stderr, ended] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once("close", resolve)),
  ]);
  return {
    status: ended,
    stderr,
    stdout,
    errors: annotations(stdout),
    warnings: annotations(stdout, "warning"),
    requests: server.received.length,
  };
}

/** A folder that every user may write in. */
function openFolder(): string {
  const folder = tempFolder();
  chmodSync(folder, 0o777);
  return folder;
}

describe("after the record is created, files for outputs and summary", () => {
  test.each(FAULTS)("%s are warnings with their cause, and the step succeeds", async (_, make, cause) => {
    const path = make(openFolder());
    const ended = await record({ GITHUB_OUTPUT: path, GITHUB_STEP_SUMMARY: path });
    expect(ended).toMatchObject({ status: 0, stderr: "", errors: [], requests: 1 });
    const fault = `${path} cannot be written: ${cause}.`;
    expect(ended.warnings).toEqual([
      `${fault} The run's page has no summary.`,
      `${fault} The outputs are not set.`,
    ]);
    expect(ended.stdout).toContain("0 connections are open\n");
  });
});

test("an unwritable file does not turn a failure into a success, and hides nothing of its cause", async () => {
  const ended = await record(
    { GITHUB_OUTPUT: "/dev/full", GITHUB_STEP_SUMMARY: "/dev/full" },
    { status: 400 },
  );
  expect(ended).toMatchObject({ status: 1, stderr: "" });
  expect(ended.errors).toEqual([expect.stringContaining("400")]);
  expect(ended.warnings).toEqual([expect.stringContaining("The outputs are not set.")]);
  expect(ended.stdout).toContain("0 connections are open\n");
});

test("partly written outputs are removed, since the runner would fail the step for half of one", async () => {
  const folder = openFolder();
  const path = join(folder, "output");
  const before = `earlier=${"x".repeat(490)}\n`;
  writeFileSync(path, before);
  chmodSync(path, 0o666);
  // The shell counts in blocks of 512 bytes. The file system rejects what exceeds them, as a full disk does.
  const command = ["/bin/sh", "-c", `ulimit -f 1; exec "$0" "$@"`, process.execPath, STEP];
  const ended = await record({ GITHUB_OUTPUT: path }, { command });
  expect(ended).toMatchObject({ status: 0, stderr: "", errors: [], requests: 1 });
  expect(ended.warnings).toEqual([expect.stringContaining("(EFBIG)")]);
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(readOutputs(readFileSync(path, "utf8"))).toHaveProperty("earlier");
});
