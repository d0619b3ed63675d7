import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runHere } from "../cli/terminal.ts";
import { startJob } from "./workspace.ts";

test("a receipt of attest is proven offline, and a changed one is not", async () => {
  await using job = await startJob();
  const policy = join(job.workspace, "policy.txt");
  const fingerprint = "a".repeat(64);
  const about = { trail: "v1", fingerprint };
  const steps: [action: string, inputs: Record<string, string>, subject: RegExp][] = [
    ["attest", { ...about, kind: "artifact", name: "web", receipt: "true" }, /^proven {5}web {2}index 4 {2}/],
    [
      "attest",
      { ...about, name: "unit", compliant: "true", "user-data": '{"n": 1}', receipt: "true" },
      /^proven {5}unit {2}index 5 {2}/,
    ],
    // The service recognizes a repeat, and records nothing.
    [
      "attest",
      { ...about, name: "unit", compliant: "true", "user-data": '{"n": 1}', receipt: "true" },
      /^proven {5}unit {2}index 5 {2}/,
    ],
    ["assert-artifact", { fingerprint, receipt: "true" }, /^proven {5}unit {2}index 5 {2}/],
  ];
  for (const [action, inputs, subject] of steps) {
    const { outcome, log, outputs } = await job.step(action, inputs);
    expect(outcome, log).toBe("success");
    const { content } = await textFile(job.client.getLogPolicy({}));
    await writeFile(policy, content);
    const receipt = outputs["receipt"] ?? "";
    const proven = await runHere(["verify", receipt, "--policy", policy]);
    expect(proven.stdout).toMatch(subject);
    expect(proven).toMatchObject({ status: 0, stderr: "" });
    expect((await runHere(["verify", receipt])).status).toBe(2);
    const text = await readFile(receipt, "utf8");
    for (const word of [
      '"index": ',
      '"leaf": "sha256:',
      '"proof": "',
      '\\"data\\":{\\"',
      '"checkpoint": "',
      "\\n— ",
    ])
      expect(await statusOf(changedAfter(text, word)), word).toBe(1);
  }

  async function statusOf(text: string): Promise<number> {
    const file = join(job.workspace, "changed.json");
    await writeFile(file, text);
    return (await runHere(["verify", file, "--policy", policy])).status;
  }
});

function changedAfter(text: string, word: string): string {
  const at = text.indexOf(word) + word.length;
  expect(at, word).toBeGreaterThan(word.length);
  return text.slice(0, at) + (text[at] === "1" ? "2" : "1") + text.slice(at + 1);
}

async function textFile(file: Promise<{ readonly body: { readonly content: Uint8Array } }>) {
  return (await file).body;
}
