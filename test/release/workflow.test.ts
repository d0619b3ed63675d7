import { expect, test } from "vitest";
import * as z from "zod/mini";
import { actions, root } from "../../src/actions/actions.ts";
import { type Job, readWorkflow, workflowFiles } from "../workflows/workflow-files.ts";

function jobsOf(name: string): Readonly<Record<string, Job>> {
  const file = workflowFiles.find((each) => each.name === `.github/workflows/${name}`);
  if (file === undefined) throw new Error(`There is no ${name}`);
  return readWorkflow(file).jobs;
}

test("a release signs and publishes only checked files, and links to it only after its trial", () => {
  const jobs = jobsOf("release.yml");
  const before = (id: string): string[] =>
    [jobs[id]?.needs ?? []].flat().flatMap((need) => [need, ...before(need)]);
  expect(jobs["check"]?.uses).toBe("$/.github/workflows/ci.yml");
  for (const id of ["tag", "attest", "github", "npm", "try", "announce"]) {
    expect(before(id), id).toContain("check");
  }
  for (const id of ["tag", "attest", "github", "npm", "try"]) expect(before("announce"), id).toContain(id);
  // Jobs that may write, sign or use the key run only this repository's code.
  const installs = Object.entries(jobs).filter(([, { steps = [] }]) =>
    steps.some(({ run }) => /npm (?:ci|install|exec|rebuild)|npx/.test(run ?? "")),
  );
  expect(installs.map(([id]) => id)).toEqual(["pack"]);
});

test("every bundle is attested", () => {
  const strategy = z.object({ matrix: z.object({ bundle: z.array(z.string()) }) });
  const { matrix } = strategy.parse(jobsOf("release.yml")["attest"]?.["strategy"]);
  expect(matrix.bundle).toEqual([...actions, root].map(({ name }) => name).sort());
});

test("a release is tried with each action, each in its own job that ends with a check of its output", () => {
  const jobs = jobsOf("try-release.yml");
  expect(Object.keys(jobs).sort()).toEqual([...actions, root].map(({ name }) => name).sort());
  for (const [id, { steps = [] }] of Object.entries(jobs)) {
    const uses = id === root.name ? "./" : `$/actions/${id}`;
    expect(
      steps.map((step) => step.uses),
      id,
    ).toContain(uses);
    expect(
      steps.some(({ run }) => run?.startsWith("diff ")),
      id,
    ).toBe(true);
  }
});
