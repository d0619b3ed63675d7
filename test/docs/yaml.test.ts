import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { attestInputs } from "../../src/actions/attest/inputs.ts";
import { readManifest } from "../../src/actions/attest/manifest-file.ts";
import { readConfig } from "../../src/actions/report-env/config.ts";
import { targetInputs } from "../../src/actions/report-env/target.ts";
import { readInputs } from "../../src/github/step/inputs.ts";
import { parseTemplate } from "../../src/service/evidence/flows/template-upload.ts";
import { parsePolicyFile } from "../../src/service/judging/policies/policy-file.ts";
import { callProblems as reusableCallProblems } from "../workflows/calls.ts";
import { problemsOf } from "../workflows/github-parser.ts";
import { isPinned } from "../workflows/pinned.ts";
import { readWorkflow } from "../workflows/workflow-files.ts";
import { callProblems, callsIn, outputProblems, USUAL_ENV } from "./action-calls.ts";
import { attestationRequestProblems, requestProblems } from "./dry-run.ts";
import { allBlocks, type Block } from "./pages.ts";
import { asWorkflow, type Shape, shapeOf } from "./shapes.ts";

const blocks = allBlocks("yaml");
const folder = mkdtempSync(join(tmpdir(), "docs-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Blocks of some shapes under names that vitest shows. */
function named(...shapes: readonly Shape[]): (readonly [string, Block])[] {
  return blocks
    .filter((block) => shapes.some((shape) => shape === shapeOf(block)))
    .map((block) => [block.name, block] as const);
}

/** A block as a file in a separate workspace. */
function asFile({ text }: Block): { path: string; workspace: string } {
  writeFileSync(join(folder, "block.yml"), text);
  return { path: "block.yml", workspace: folder };
}

test("every block of YAML has a shape that we know how to check", () => {
  expect(blocks.filter((block) => shapeOf(block) === undefined).map(({ name }) => name)).toEqual([]);
});

test("no block of YAML has another language name", () => {
  expect(allBlocks("yml").map(({ name }) => name)).toEqual([]);
  const looksLikeSteps = allBlocks("").filter(({ text }) => /^\s*(?:- )?uses: /m.test(text));
  expect(looksLikeSteps.map(({ name }) => name)).toEqual([]);
});

const workflows = named("workflow", "jobs", "steps", "settings").map(([name, block]) => {
  const isWhole = shapeOf(block) === "workflow";
  return [name, { block, isWhole, file: asWorkflow(block) ?? block }] as const;
});

describe.each(workflows)("%s", (_, { block, isWhole, file }) => {
  test("is a workflow, or a part of one, to GitHub's own parser", async () => {
    expect(await problemsOf(file)).toEqual([]);
  });

  test("gives our actions existing inputs, all required ones, and valid values", async () => {
    const calls = callsIn(file).map((call) =>
      isWhole ? call : { ...call, env: { ...USUAL_ENV, ...call.env } },
    );
    expect((await Promise.all(calls.map(callProblems))).flat()).toEqual([]);
  });

  test("gives our actions data that the API accepts", async () => {
    const problems = await Promise.all(callsIn(file).map(requestProblems));
    expect(problems.flat()).toEqual([]);
  });

  test("uses only existing outputs", () => {
    expect(outputProblems(file)).toEqual([]);
  });

  test("pins every action by its full commit with the version beside it, ours as the README does", () => {
    const uses = [...block.text.matchAll(/^\s*(?:- )?uses: (.*)$/gm)].map(([, text = ""]) => text);
    expect(uses.filter((text) => !isPinned(text))).toEqual([]);
  });

  test("passes no expression to a shell", () => {
    const runs = Object.values(readWorkflow(file).jobs).flatMap(({ steps = [] }) =>
      steps.map(({ run }) => run),
    );
    expect(runs.filter((run) => run?.includes("${{"))).toEqual([]);
  });
});

test.each(workflows.filter(([, { isWhole }]) => isWhole))(
  "%s starts from no permissions, and gives reusable workflows those that they need",
  (_, { file }) => {
    expect(readWorkflow(file).permissions).toEqual({});
    expect(reusableCallProblems(file)).toEqual([]);
  },
);

test.each(named("template"))("%s is a flow template", (_, { text }) => {
  expect(parseTemplate(text)).toBeDefined();
});

test.each(named("policy"))("%s is a policy", (_, { text }) => {
  expect(parsePolicyFile(text)).toBeDefined();
});

test.each(named("manifest"))("%s is a manifest whose attestations the API accepts", async (_, block) => {
  const defaults = readInputs(attestInputs, {}, USUAL_ENV).values;
  const entries = await readManifest({ ...asFile(block), defaults });
  const problems = await Promise.all(
    entries.map((values) => attestationRequestProblems(values.name, values)),
  );
  expect(problems.flat()).toEqual([]);
});

test.each(named("environments"))("%s lists environments to report", async (_, block) => {
  const defaults = readInputs(targetInputs, {}, {}).values;
  expect(await readConfig({ ...asFile(block), defaults })).not.toEqual([]);
});

test("the pages contain all of these", () => {
  const shapes = new Set(blocks.map(shapeOf));
  expect([...shapes].sort()).toEqual(
    expect.arrayContaining(["environments", "manifest", "policy", "steps", "template", "workflow"]),
  );
});
