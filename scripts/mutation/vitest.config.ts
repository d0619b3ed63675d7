import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Runs tests of whole services last, because earlier ones kill most mutants. */
class UnitTestsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const startsService = ({ moduleId }: TestSpecification) =>
      readFileSync(moduleId, "utf8").includes("startTestService");
    return files.toSorted((a, b) => Number(startsService(a)) - Number(startsService(b)));
  }
}

/** The tests that check mutants. They run in one process, because a mutant is not active in another one. */
export default defineConfig({
  logLevel: "error",
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: [
      "test/service/judging/compliance/*.test.ts",
      "test/service/{judging,runtime}/policies/*.test.ts",
      "test/service/operation/*.test.ts",
      "test/service/evidence/attachments.test.ts",
      "test/service/store/{attachments-owner,orphans,store}.test.ts",
      "test/service/runtime/{snapshots,environment-records,environments/*}.test.ts",
      "test/service/people/{api-keys,identity/{exchange,repositories,unused-origins}}.test.ts",
      "test/service/{runtime/policies,judging/user-patterns}.test.ts",
      "test/github/{api/{commit-api,commit-facts,commit-pull-requests},event/{commit,head-branch,local-git}}.test.ts",
      "test/github/step/redaction.test.ts",
      "test/evidence/{directory-fingerprint,exclusions,fingerprint,glob-pattern,name-pattern}.test.ts",
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: UnitTestsFirst },
  },
});
