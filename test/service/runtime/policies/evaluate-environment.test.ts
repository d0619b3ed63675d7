import type { KyselyPlugin } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { latestReportsOf } from "../../../../src/service/evidence/compliance/latest-reports.ts";
import { PatternAnswers } from "../../../../src/service/judging/patterns/pattern-answers.ts";
import { artifactKey, type NamedArtifact } from "../../../../src/service/kernel/artifact-key.ts";
import { findOrganization } from "../../../../src/service/people/accounts/organizations.ts";
import { evaluatePolicies } from "../../../../src/service/runtime/policies/evaluate-environment.ts";
import { listPolicies } from "../../../../src/service/runtime/policies/list.ts";
import { attachedPolicies, policiesNamed } from "../../../../src/service/runtime/policies/versions.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import type { Store } from "../../../../src/service/store/store.ts";
import type { Database } from "../../../../src/service/store/tables.ts";
import { planOf } from "../../query-plan.ts";
import { pipeline } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";
import { yieldsDuring } from "../../yields.ts";

const POLICY = `
_schema: https://schemas.example/v1
artifacts:
  provenance: { required: true, exceptions: [{ if: "\${{ artifact.name == 'base:1' }}" }] }
  attestations: [{ type: generic, name: unit }, { type: decision, for_control: C1, if: "\${{ flow.name == 'f1' }}" }]
`;
const BY_DATA = `
_schema: https://schemas.example/v1
artifacts:
  attestations:
    - type: generic
      must_meet: "\${{ attestation.user_data.review.four_eyes == 'true' or matches(attestation.user_data.review.by, '^robot') }}"
`;
const fingerprint = (n: number) => String(n).padStart(64, "0");

let service: TestService;
let store: Store;
let orgId: string;
beforeAll(async () => {
  service = await startTestService();
  store = await openDataFolder(service.dataFolder);
  orgId = (await findOrganization(store.read, ORG))?.id ?? "";
  const { control, policy, artifact, attest } = pipeline(service);
  await control({ identifier: "C1", name: "c" });
  await policy("asks", POLICY);
  await policy("asks-nothing", "_schema: https://schemas.example/v1");
  await policy("asks-data", BY_DATA);
  for (let n = 0; n < 12; n++) {
    await artifact(`f${n % 3}`, `t${n}`, { fingerprint: fingerprint(n) });
    const user_data = { review: { four_eyes: n === 0, by: n === 2 ? "robot" : "person" } };
    if (n % 2 === 0) await attest(`f${n % 3}`, `t${n}`, { artifact_fingerprint: fingerprint(n), user_data });
  }
});
afterAll(async () => {
  await store.close();
  await service.dispose();
});

/** The results of the policies of these names. */
const evaluate = async (db: Database, artifacts: readonly NamedArtifact[]) => {
  const policies = await policiesNamed(db, orgId, policyNames);
  const fingerprints = artifacts.map(({ fingerprint }) => fingerprint);
  const reports = await latestReportsOf(db, orgId, fingerprints);
  return evaluatePolicies(db, { orgId, policies, artifacts, reports, patterns: new PatternAnswers() });
};
const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ name: `web:${n}`, fingerprint: fingerprint(n) }));
const policyNames = ["asks-nothing", "asks", "unknown"];

describe("evaluating policies for many artifacts", () => {
  it("returns the result of each policy for each artifact, in the order of the names", async () => {
    const artifacts = [...numbered(13), { name: "base:1", fingerprint: fingerprint(12) }];
    const evaluations = await evaluate(store.read, artifacts);
    expect([...evaluations.keys()]).toEqual(artifacts.map(artifactKey));
    const verdicts = [...evaluations.values()].map((each) =>
      each.map(({ policyName, status }) => `${policyName} ${status}`),
    );
    // Even ones have the attestation; flow f1 lacks a decision; the last two were not reported.
    expect(verdicts).toEqual(
      artifacts.map((_, n) => [
        "asks-nothing COMPLIANT",
        `asks ${n % 2 === 0 && n % 3 !== 1 && n < 12 ? "" : "NON-"}COMPLIANT`,
      ]),
    );
    const [excepted] =
      evaluations.get(artifactKey({ name: "base:1", fingerprint: fingerprint(12) }))?.slice(1) ?? [];
    expect(excepted?.ruleEvaluations?.map(({ satisfied }) => satisfied)).toEqual([null, null, false, null]);
  });

  it("reads the user data of attestations, also for patterns", async () => {
    const artifacts = numbered(5);
    const reports = await latestReportsOf(
      store.read,
      orgId,
      artifacts.map((each) => each.fingerprint),
    );
    const policies = await policiesNamed(store.read, orgId, ["asks-data"]);
    const question = { orgId, policies, artifacts, reports };
    const asked: string[] = [];
    const patterns = Object.assign(new PatternAnswers(), {
      ask: (_: string, texts: ReadonlySet<string>) => void asked.push(...texts),
      requireAll: () => {},
      isFound: (pattern: string, text: string) => new RegExp(pattern).test(text),
    });
    const evaluations = await evaluatePolicies(store.read, { ...question, patterns });
    const statuses = [...evaluations.values()].flatMap((each) => each.map(({ status }) => status));
    expect(statuses).toEqual(["COMPLIANT", "NON-COMPLIANT", "COMPLIANT", "NON-COMPLIANT", "NON-COMPLIANT"]);
    expect([...new Set(asked)].sort()).toEqual(["person", "robot"]);
  });

  it("does not depend on the order of the artifacts", async () => {
    const artifacts = numbered(13);
    const [one, other] = await Promise.all(
      [artifacts, artifacts.toReversed()].map((each) => evaluate(store.read, each)),
    );
    expect(new Map([...(other ?? [])].toReversed())).toEqual(one);
  });

  it("takes as many queries for five thousand artifacts as for one", async () => {
    const queriesFor = async (count: number) => {
      let queries = 0;
      const counter: KyselyPlugin = {
        transformQuery({ node }) {
          queries++;
          return node;
        },
        transformResult: async ({ result }) => result,
      };
      const db = store.read.withPlugin(counter);
      await evaluate(db, numbered(count));
      return queries;
    };
    expect(await queriesFor(5_000)).toBe(await queriesFor(1));
  });

  it("yields between five thousand artifacts and the next", async () => {
    const turns = await yieldsDuring(() => evaluate(store.read, numbered(10_001)));
    // Two each for reports, patterns, records and flows, and for the results.
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it("finds everything by an index", async () => {
    const plan = await planOf(service.dataFolder, async (db) => {
      await evaluate(db, numbered(20));
      await attachedPolicies(db, "e");
      await listPolicies(db, orgId);
    });
    // `latest` is not a table but the latest reports of the requested artifacts.
    expect(plan.filter((step) => /^SCAN (?!latest$)/.test(step))).toEqual([]);
    expect(plan.join("\n")).toContain("artifacts_latest");
  });
});
