import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import packageFile from "../../package.json" with { type: "json" };
import { COMPILE_CACHE } from "../program-variables.ts";
import { blocksOf, pages, root } from "./pages.ts";

const readme = pages.find(({ path }) => path === "README.md") ?? expect.fail("there is no README");
const [demo = "", start = "", variables = "", step = ""] = blocksOf(readme)
  .filter(({ language }) => language === "sh")
  .map(({ text }) => text.trim());

/** Starts the service as `npm start` does, with its records in a separate folder and on a free port. */
async function startAsPackaged(): Promise<{ address: string; key: string }> {
  const folder = await mkdtemp(join(tmpdir(), "first-record-"));
  const [program = "", ...args] = packageFile.scripts.start
    .replace("src/cli.ts", `${root}src/cli.ts`)
    .split(" ");
  expect(program).toBe("node");
  const service = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...COMPILE_CACHE, PATH: process.env["PATH"], EVIDENCE_PORT: "0" },
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(async () => {
    service.kill();
    await once(service, "close");
    await rm(folder, { recursive: true, force: true });
  });
  const output: string[] = [];
  for await (const line of createInterface({ input: service.stdout })) {
    output.push(line);
    if (output.length === 2) break;
  }
  const [address = "", key = ""] = output.map((line) => /http:\/\/\S+|de_\S+/.exec(line)?.[0] ?? "");
  return { address, key };
}

test("the three commands of the README create the first record", async () => {
  expect([demo, start]).toEqual(["npm ci && npm run demo -- --keep", "npm ci && npm start"]);
  const { address, key } = await startAsPackaged();
  // The reader inserts the output of the first command.
  const given = variables.replace("http://127.0.0.1:8800", address).replace("de_...", key);
  expect(given).toContain(`${address} EVIDENCE_API_KEY=${key}`);
  const { status, stdout, stderr } = spawnSync("bash", ["-c", `${given}\n${step}`], {
    cwd: root,
    encoding: "utf8",
  });
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toContain("Recorded generic attestation 'lint' on trail 'first'.");
  expect(stdout).toContain(`Open the trail: ${address}/acme/flows/web/trails/first`);
  expect(stdout).not.toContain(key);
});

test("the README fits on a few screens and keeps its order", () => {
  const headings = [...readme.text.matchAll(/^## (.*)$/gm)].map(([, heading = ""]) => heading);
  expect(headings).toEqual([
    "Try it",
    "How it works",
    "A complete workflow",
    "The actions",
    "Next steps",
    "License",
  ]);
  expect(readme.text.split("\n").length).toBeLessThanOrEqual(220);
});
