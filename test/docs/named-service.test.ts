import { expect, test } from "vitest";
import { REPOSITORY, readWorkflow } from "../workflows/workflow-files.ts";
import { type ActionCall, callsIn } from "./action-calls.ts";
import { allBlocks } from "./pages.ts";
import { asWorkflow, shapeOf } from "./shapes.ts";

/**
 * Whether the reader who copies a step must name the service that gets the key or the token. An empty expression would
 * send the key to the default service; only in the variable is it refused.
 */
function isNamed({ texts, env }: Pick<ActionCall, "texts" | "env">): boolean {
  const written = [texts["base-url"], texts["region"], env["EVIDENCE_REGION"]];
  return written.some((text) => text && !text.includes("${{")) || Boolean(env["EVIDENCE_BASE_URL"]);
}

const files = allBlocks("yaml").flatMap((block) => {
  const file = asWorkflow(block);
  return file === undefined ? [] : [{ file, isWhole: shapeOf(block) === "workflow" }];
});

test("every step with a key names its service", () => {
  const unnamed = files.flatMap(({ file, isWhole }) =>
    callsIn(file)
      .filter(({ texts }) => isWhole || "api-key" in texts)
      .filter((call) => !isNamed(call))
      .map(({ where }) => `${file.name}, ${where}`),
  );
  expect(unnamed).toEqual([]);
});

test("every reusable workflow that calls the service gets its address", () => {
  const calls = files.flatMap(({ file }) =>
    Object.entries(readWorkflow(file).jobs)
      .filter(
        ([, { uses = "" }]) => uses.startsWith(`${REPOSITORY}/`) && !uses.includes("/environment-issue.yml@"),
      )
      .map(([id, job]) => ({ where: `${file.name}, job ${id}`, texts: { ...Object(job["with"]) }, env: {} })),
  );
  expect(calls.length).toBeGreaterThan(5);
  expect(calls.filter((call) => !isNamed(call)).map(({ where }) => where)).toEqual([]);
});

test("only these examples have a key: for the hosted service, and to rotate it", () => {
  const withKey = files.filter(
    ({ file, isWhole }) => isWhole && file.text.includes("secrets.EVIDENCE_API_KEY"),
  );
  expect(withKey.map(({ file }) => file.name.replace(/:.*/, ""))).toEqual([
    "docs/migration.md",
    "docs/reusable-workflows.md",
    "docs/rotate-key.md",
  ]);
});

test("every program and command with a key names its service", () => {
  const blocks = [...allBlocks("ts"), ...allBlocks("sh")].filter(({ text }) =>
    /apiKey|EVIDENCE_API_KEY/.test(text),
  );
  expect(blocks.length).toBeGreaterThan(2);
  expect(
    blocks.filter(({ text }) => !/baseUrl|EVIDENCE_BASE_URL/.test(text)).map(({ name }) => name),
  ).toEqual([]);
});
