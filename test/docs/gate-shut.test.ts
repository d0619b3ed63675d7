import { afterAll, beforeAll, expect, test } from "vitest";
import type { JobRuns } from "../workflows/run/workflow-run.ts";
import { type Example, example } from "./examples/example.ts";
import { startReader } from "./examples/reader.ts";
import { blocksOf, pages } from "./pages.ts";

/** The description of one way to close the gate. */
interface Section {
  readonly title: string;
  readonly message: string;
  /** The lines when the gate is closed, and when it opens. */
  readonly shut: string;
  readonly open: string;
}

const page = pages.find(({ path }) => path === "docs/gate-shut.md") ?? expect.fail("there is no such page");
const sections = page.text
  .split(/^### /m)
  .slice(1)
  .map((text): Section => {
    const blocks = blocksOf({ path: page.path, text });
    const block = (language: string) => blocks.find((each) => each.language === language)?.text ?? "";
    return {
      title: text.split("\n")[0] ?? "",
      message: block("text").trim(),
      shut: linesOf(block("diff"), "-"),
      open: linesOf(block("diff"), "+"),
    };
  });
const policy = blocksOf(page).find(({ language }) => language === "yaml")?.text ?? "";

/** A diff before or after its change. */
function linesOf(diff: string, sign: "-" | "+"): string {
  const lines = diff.split("\n").filter((line) => line.startsWith(" ") || line.startsWith(sign));
  return lines.map((line) => `${line.slice(1)}\n`).join("");
}

const DELIVER = example("README.md: Deliver");
const FINGERPRINT = "          fingerprint: ${{ needs.build.outputs.fingerprint }}\n";

/** The workflow of the README with a part of it changed, wherever that part is. */
function changed({ workflow, files, ...rest }: Example, from: string, to: string): Example {
  const isHere = workflow.text.includes(from);
  const template = files["evidence.yml"] ?? "";
  if (!isHere) expect(template).toContain(from);
  return {
    ...rest,
    workflow: { ...workflow, text: workflow.text.replace(from, () => to) },
    files: { "evidence.yml": isHere ? template : template.replace(from, () => to) },
  };
}

/** The workflow with the gate that the page describes before the messages of policies. */
const BY_POLICY = changed(DELIVER, FINGERPRINT, `${FINGERPRINT}          environment: production\n`);

let reader: Awaited<ReturnType<typeof startReader>>;
beforeAll(async () => {
  reader = await startReader();
  const policyFile = { name: "production.yml", content: new Blob([policy]) };
  await reader.client.createEnvironment({ body: { name: "production", type: "server", description: "" } });
  await reader.client.putPolicy({ body: { name: "production" }, files: { policyFile } });
  await reader.client.attachPolicies({ envName: "production", body: { policyNames: ["production"] } });
});
afterAll(() => reader[Symbol.asyncDispose]());

/** The commit and the jobs that have run of each text above the job `deploy`. */
const builds = new Map<string, { commit: string; done: JobRuns }>();
/** Runs the workflow at a separate commit, or only its job `deploy` if it builds like an earlier one. */
async function deliver(workflow: Example, testsPass = true): Promise<JobRuns> {
  const [above = "", ...rest] = workflow.workflow.text.split("\n  deploy:\n");
  expect(rest).toHaveLength(1);
  const key = JSON.stringify([above, workflow.files, testsPass]);
  const { commit, done } = builds.get(key) ?? { commit: String(builds.size + 1).padStart(40, "0"), done: {} };
  const vars = { LAST_FINGERPRINT: "c".repeat(64) };
  const runs = await reader.run(workflow, { commit, testsPass, vars, done });
  const { deploy, ...build } = runs;
  builds.set(key, { commit, done: build });
  return runs;
}

/** The output of the gate. */
function gateOf(runs: JobRuns): string {
  return (runs["deploy"]?.annotations ?? []).map(({ message }) => message).join("\n");
}

/** Whether a message was printed, with any text in its gaps. */
function expectPrinted(output: string, message: string): void {
  let from = 0;
  for (const part of message.split("…").map((text) => text.trim())) {
    const at = output.indexOf(part, from);
    expect(at, `'${part}' in: ${output}`).toBeGreaterThanOrEqual(from);
    from = at + part.length;
  }
}

test.each(sections.map((section) => [section.title, section] as const))(
  "%s: a workflow with that line gets that message",
  async (title, { message, shut, open }) => {
    const base = message.startsWith("policy ") ? BY_POLICY : DELIVER;
    // For the one that no line can fix, the page explains the cause.
    const failing = title === "The tests failed";
    const broken = failing
      ? changed(base, "run: make test\n", "run: make test || true\n")
      : changed(base, open, shut);
    const runs = await deliver(broken, !failing);
    expect(runs["build"]?.result).toBe("success");
    expect(runs["deploy"]?.result).toBe("failure");
    expectPrinted(gateOf(runs), message);
  },
);

// It also opens by the template alone, as the tests of the examples show.
test("the corrected lines open the gate by the policy", async () => {
  const runs = await deliver(BY_POLICY);
  expect(runs["deploy"]?.result, gateOf(runs)).toBe("success");
});

test("each section has a message, and all except one have a line to change", () => {
  expect(sections.length).toBeGreaterThan(10);
  expect(sections.filter(({ message }) => message === "")).toEqual([]);
  expect(sections.filter(({ shut, open }) => shut === open).map(({ title }) => title)).toEqual([
    "The tests failed",
  ]);
});
