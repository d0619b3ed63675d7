import { globSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startJob } from "../e2e/workspace.ts";
import { fixture } from "../evidence/fixtures/fixture.ts";
import { resultsOf } from "../evidence/test-results/read.ts";
import { readWorkflow } from "../workflows/workflow-files.ts";
import { callsIn } from "./action-calls.ts";
import { blocksOf, pages, root } from "./pages.ts";
import { asWorkflow, shapeOf } from "./shapes.ts";

/*
 * The samples are the output of the documented commands, each for a project with one test that passes and one that
 * fails, something for the scanner to find, and one dependency. Only the environment that Surefire lists of the
 * machine was removed. A changed command needs a new sample.
 */
const SAMPLES = `${root}test/evidence/fixtures/languages/`;

const page = pages.find(({ path }) => path === "docs/reports.md") ?? expect.fail("there is no such page");
const sections = page.text
  .split(/^## /m)
  .slice(1)
  .flatMap((text) => {
    const [block] = blocksOf({ path: page.path, text }).filter((each) => shapeOf(each) === "steps");
    const file = block && asWorkflow(block);
    return file ? [{ title: text.split("\n")[0] ?? "", file, calls: callsIn(file) }] : [];
  });

/** The folder of a language's samples. */
const FOLDERS: Readonly<Record<string, string>> = {
  Go: "go",
  Java: "java",
  "JavaScript and TypeScript": "javascript",
  Python: "python",
};

let job: Awaited<ReturnType<typeof startJob>>;
beforeAll(async () => {
  job = await startJob();
});
afterAll(() => job[Symbol.asyncDispose]());

const sampled = sections.filter(({ title }) => title in FOLDERS);

test.each(sampled.map((section) => [section.title, section] as const))(
  "%s: its steps record the output of its commands",
  async (title, { calls }) => {
    const folder = SAMPLES + FOLDERS[title];
    for (const path of globSync("**/*.{xml,sarif,json}", { cwd: folder, exclude: ["others/**"] }))
      await job.write(path, readFileSync(`${folder}/${path}`, "utf8"));
    for (const { texts } of calls) {
      const trail = FOLDERS[title] ?? "";
      // No artifact is reported here, so it is about the trail.
      const name = texts["name"]?.replace("app.", "") ?? "";
      const { outputs, log } = await job.step("attest", { ...texts, trail, name });
      expect(outputs["status"], log).toBe("recorded");
      const place = { flowName: "web", trailName: trail, attestationName: name };
      const [record] = (await job.client.listTrailAttestations(place)).body;
      expect(record?.hasAuditPackage).toBe(true);
      if (texts["kind"] === "test") {
        expect(outputs["compliant"]).toBe("false");
        expect(record?.junitResults?.map(({ total, failures }) => ({ total, failures }))).toEqual([
          { total: 2, failures: 1 },
        ]);
      }
      if (texts["kind"] === "scan") expect(foundIn(record?.userData)).toBeGreaterThan(0);
      if (texts["kind"] === "sbom")
        expect(record?.userData).toMatchObject({ sbom: [{ format: "CycloneDX", components: 1 }] });
    }
  },
);

/** The number of findings of a scan, of any severity. */
function foundIn(userData: unknown): number {
  const { scan } = Object(userData);
  const counts: number[] = Object.values(Object(scan?.findings));
  return counts.reduce((sum, count) => sum + count, 0);
}

test(".NET: a report at the logger's default path is recorded by its step", async () => {
  const { texts } =
    sections.find(({ title }) => title === ".NET")?.calls[0] ?? expect.fail("there is no step");
  await job.write("src/Shop.Tests/TestResults/Shop.Tests.trx", fixture("test-results/mstest.trx"));
  const { outputs, log } = await job.step("attest", { ...texts, trail: "dotnet" });
  expect(outputs, log).toMatchObject({ status: "recorded", compliant: "false" });
});

test.each(sampled.map((section) => [section.title, section] as const))(
  "%s: its commands are those that wrote the samples",
  (title, { file }) => {
    const steps = Object.values(readWorkflow(file).jobs).flatMap((each) => each.steps ?? []);
    const commands = steps.flatMap(({ run }) => run ?? []);
    expect(`${commands.join("\n")}\n`).toBe(readFileSync(`${SAMPLES}${FOLDERS[title]}/commands.sh`, "utf8"));
  },
);

test.each(["vitest", "jest"])("the steps can read the report of %s", async (runner) => {
  const report = readFileSync(`${SAMPLES}javascript/others/${runner}.xml`, "utf8");
  const { counts } = await resultsOf({ "unit.xml": report });
  expect(counts).toMatchObject({ total: 2, passed: 1, failures: 1 });
});

test("every language has its steps", () => {
  expect(sections.map(({ title }) => title)).toEqual([".NET", ...Object.keys(FOLDERS)]);
});
