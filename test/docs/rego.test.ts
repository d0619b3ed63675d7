import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { evaluatePolicy } from "../../src/evidence/rego/evaluate.ts";
import { openOpa } from "../../src/evidence/rego/opa.ts";
import {
  gatePassed,
  hasPullRequest,
  issuesExist,
  nothingFound,
  testsPassed,
} from "../../src/service/judging/compliance/verdicts.ts";
import { chanceOf } from "../chance.ts";
import { OPA, WITH_OPA } from "../go-programs.ts";

type Report = Readonly<Record<string, unknown>>;

/** Reports whose counts are mostly zero, so that about half of them pass. */
const chance = chanceOf(20261127);
const upTo = (most: number) => Math.floor(chance() * (most + 1));
const rare = () => Math.max(0, upTo(12) - 10);
const some = <Item>(make: () => Item) => Array.from({ length: upTo(3) }, make);

const suite = () => ({ name: "suite", failures: rare(), errors: rare() });
const scan = () => ({ low_count: rare(), medium_count: rare(), high_count: rare() });
const gate = () => [undefined, null, { status: "OK" }, { status: "ERROR" }, { status: "ok" }][upTo(4)];
const issue = () => ({ issue_id: "A-1", issue_exists: upTo(4) > 0 });

/** Each policy with the reports of its kind, and our own judgement of them. */
const KINDS: Readonly<Record<string, { report: () => Report; judge: (report: never) => boolean }>> = {
  junit: {
    report: () => ({ junit_results: some(suite) }),
    judge: ({ junit_results }: { junit_results: ReturnType<typeof suite>[] }) => testsPassed(junit_results),
  },
  sarif: {
    report: () => ({ [upTo(1) ? "sarif_results" : "processed_snyk_results"]: { results: some(scan) } }),
    judge: (report: Record<string, { results: ReturnType<typeof scan>[] }>) =>
      nothingFound(
        Object.values(report)
          .flatMap(({ results }) => results)
          .map(({ low_count, medium_count, high_count }) => ({
            lowCount: low_count,
            mediumCount: medium_count,
            highCount: high_count,
          })),
      ),
  },
  sonar: {
    report: () => ({ sonar_results: { qualityGate: gate() } }),
    judge: ({ sonar_results }: { sonar_results: { qualityGate: { status: string } | null } }) =>
      gatePassed(sonar_results),
  },
  jira: {
    report: () => ({ jira_results: some(issue) }),
    judge: ({ jira_results }: { jira_results: ReturnType<typeof issue>[] }) =>
      issuesExist(jira_results.map(({ issue_exists }) => ({ issueExists: issue_exists }))),
  },
  "pull-request": {
    report: () => ({ pull_requests: some(() => ({ url: "https://github.com/acme/web/pull/1" })) }),
    judge: ({ pull_requests }: { pull_requests: unknown[] }) => hasPullRequest(pull_requests),
  },
};

const REPORTS = 1_000;
const signal = AbortSignal.timeout(120_000);
const params = { attestation_name: "checked" };

describe.skipIf(OPA === undefined)(WITH_OPA, () => {
  test.each(Object.entries(KINDS))(
    "docs/rego/%s.rego judges 1,000 reports as the service does",
    async (kind, of) => {
      const reports = Array.from({ length: REPORTS }, of.report);
      const documents = reports.map((report, index) => {
        const statuses = { attestations_statuses: { checked: report } };
        const ofArtifact = { attestations_statuses: {}, artifacts_statuses: { app: statuses } };
        const trail = { compliance_status: index % 2 === 0 ? statuses : ofArtifact };
        return JSON.stringify({ trail });
      });
      const text = readFileSync(new URL(`../../docs/rego/${kind}.rego`, import.meta.url), "utf8");
      const opa = await openOpa(OPA ?? "", signal);
      const evaluate = (inputs: string[], more: object) =>
        evaluatePolicy(
          opa,
          { files: { "policy.rego": text }, params: { ...params, ...more }, inputs, at: 0 },
          { signal },
        );
      const half = (rest: number) => documents.filter((_, index) => index % 2 === rest);
      const [ofTrails, ofArtifacts] = await Promise.all([
        evaluate(half(0), {}),
        evaluate(half(1), { artifact: "app" }),
      ]);
      const verdicts = reports.map(
        (_, index) => (index % 2 === 0 ? ofTrails : ofArtifacts)[Math.floor(index / 2)],
      );
      const ours = reports.map((report) => of.judge(report as never));
      expect(verdicts.map((verdict) => verdict?.allow)).toEqual(ours);
      expect(verdicts.map((verdict) => verdict?.violations.length === 0)).toEqual(ours);
      const passed = ours.filter(Boolean).length;
      expect(passed).toBeGreaterThan(REPORTS / 10);
      expect(passed).toBeLessThan((REPORTS * 9) / 10);
    },
  );

  test.each(Object.keys(KINDS))(
    "docs/rego/%s.rego denies what is not on record, with the reason",
    async (kind) => {
      const text = readFileSync(new URL(`../../docs/rego/${kind}.rego`, import.meta.url), "utf8");
      const opa = await openOpa(OPA ?? "", signal);
      const inputs = [JSON.stringify({ trail: { compliance_status: { attestations_statuses: {} } } })];
      const call = { files: { "policy.rego": text }, params, inputs, at: 0 };
      expect(await evaluatePolicy(opa, call, { signal })).toEqual([
        { allow: false, violations: [expect.stringContaining("'checked'")], skipped: null },
      ]);
    },
  );
});
