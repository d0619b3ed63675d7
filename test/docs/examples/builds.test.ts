import { describe, expect, test } from "vitest";
import { blocksOf } from "../pages.ts";
import { pageNamed } from "../reference-pages.ts";
import { BUILDS, recordRuns } from "./example.ts";
import { FLOW, startReader } from "./reader.ts";
import { endOf, printed } from "./run-end.ts";

const COMMIT = "1".repeat(40);
const NEXT = "2".repeat(40);
const FAILED_TESTS = ["unit-test (junit): COMPLETE"];
const DEPLOYED = "deploy it here\n";
const FAILED_STEP = "Process completed with exit code 1.";
const DELIVER = "README.md: Deliver";
/** The run named by the tokens of the examples. */
const ORIGIN = "github:acme/web build.yml run 77 attempt 1";

const { page, left } = recordRuns((title) => BUILDS.test(title));

/** The page of the tutorial, and the files that its commands make. */
function tutorialProject(): { text: string; files: Record<string, string> } {
  const { text } = pageNamed("docs/tutorial.md");
  const files = [...text.matchAll(/^cat > (\S+) <<'END'\n([\s\S]*?)^END$/gm)];
  return { text, files: Object.fromEntries(files.map(([, path = "", content = ""]) => [path, content])) };
}

/** The workflow of the tutorial for a reader who chose a key. */
function withKey(workflow: string, tutorial: string): string {
  const [, line = ""] = /^env:\n( {2}EVIDENCE_API_KEY: .*\n)/m.exec(tutorial) ?? [];
  const changed = workflow.replace("env:\n", `env:\n${line}`).replace(/^ *id-token: write.*\n/gm, "");
  return changed.replace("permissions:\n    steps:", "permissions: {}\n    steps:");
}

describe("an example that builds, run as written on its page,", () => {
  test.each([
    { title: DELIVER, good: "build, deploy", bad: "!build, -deploy" },
    { title: "docs/migration.md: push", good: "evidence", bad: "!evidence", isProven: false },
    { title: "docs/reusable-workflows.md: Build", good: "build, evidence", bad: "!build, evidence" },
    { title: "docs/attest-build.md: Build", good: "build, evidence", bad: "!build, evidence" },
    { title: "docs/attest-build.md: Container", good: "build, evidence", bad: "!build, evidence" },
  ])(
    "opens the gate only for artifacts that pass their tests, and records which run: $title",
    async ({ title, good, bad, isProven = true }) => {
      await using reader = await startReader();
      expect(endOf(await reader.run(page(title), { commit: COMMIT }))).toEqual({ jobs: good, told: [] });
      expect(await reader.reasons(COMMIT)).toEqual([]);
      const { body } = await reader.client.getTrail({ flowName: FLOW, trailName: COMMIT });
      const origin = { state: "verified", policy: "acme-web", name: ORIGIN };
      expect(body).toMatchObject(isProven ? { origin } : {});

      const failing = await reader.run(page(title), { commit: NEXT, testsPass: false });
      const { jobs, told } = endOf(failing);
      expect(jobs, told.join("\n")).toBe(bad);
      expect(printed(failing)).not.toContain(DEPLOYED);
      expect(await reader.lacking(NEXT)).toEqual(FAILED_TESTS);
    },
  );

  test("refuses until its tests are recorded, without a key and with one: docs/tutorial.md", async () => {
    const tutorial = page("docs/tutorial.md: Deliver");
    const { files, text } = tutorialProject();
    const refused = text.split("```text\n")[1]?.split("…")[0] ?? "";
    for (const [commit, next, adapted] of [
      ["3".repeat(40), "4".repeat(40), (workflow: string) => workflow],
      ["5".repeat(40), "6".repeat(40), (workflow: string) => withKey(workflow, text)],
    ] as const) {
      await using reader = await startReader();
      const run = (workflow: string, of: string) =>
        reader.run(
          {
            ...tutorial,
            files: { ...tutorial.files, ...files },
            workflow: { ...tutorial.workflow, text: adapted(workflow) },
          },
          { commit: of },
        );
      const state = async (trailName: string) =>
        (await reader.client.getTrail({ flowName: FLOW, trailName })).body.complianceState;
      const shut = await run(tutorial.workflow.text, commit);
      expect(endOf(shut)).toEqual({
        jobs: "build, !deploy",
        told: [expect.stringContaining(refused), FAILED_STEP],
      });
      expect(await state(commit)).toBe("INCOMPLETE");
      const steps = blocksOf({ path: "", text: text.slice(text.indexOf("## 6.")) })[0]?.text ?? "";
      const whole = tutorial.workflow.text.replace("\n  deploy:", `${steps.replace(/^(?=.)/gm, "      ")}$&`);
      const open = await run(whole, next);
      expect(endOf(open)).toEqual({ jobs: "build, deploy", told: [] });
      expect(printed(open)).toContain("deploy app.tgz here\n");
      expect(await state(next)).toBe("COMPLIANT");
    }
  });

  test("every example that builds is one of these", () => {
    expect([...left]).toEqual([]);
  });
});
