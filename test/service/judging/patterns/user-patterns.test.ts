import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parsePolicyFile } from "../../../../src/service/judging/policies/policy-file.ts";
import { soleOrganization } from "../../../../src/service/people/accounts/organizations.ts";
import { putPolicy } from "../../../../src/service/runtime/policies/records.ts";
import { openDataFolder } from "../../../../src/service/store/sqlite/open-store.ts";
import { attestations } from "../../attestation-requests.ts";
import { expectRefusal, FP, pipeline, send } from "../../requests.ts";
import { ORG, startTestService, type TestService } from "../../running-service.ts";

/** A pattern that compiles to one state for each repetition. */
const LARGE = "\\pL{1000}".repeat(100);
const REFUSED = `the pattern '${LARGE.slice(0, 100)}…' needs 100002 states; the limit is 2000: use smaller repeat counts`;

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

/** A policy that requires provenance, except where a condition is true. */
const exceptWhere = (...conditions: string[]) =>
  `_schema: https://schemas.example/v1
artifacts:
  provenance:
    required: true
    exceptions:
${conditions.map((condition) => `      - if: ${JSON.stringify(`\${{ ${condition} }}`)}\n`).join("")}`;
const found = (what: string, pattern: string) => `matches(${what}, '${pattern.replaceAll("\\", "\\\\")}')`;

const pod = (name: string, fingerprint = FP) => ({
  podName: name,
  namespace: "n",
  digests: { [name]: fingerprint },
  creationTimestamp: 1,
});

describe("a pattern with too many states is refused and quoted", () => {
  it("in the policy that contains it, with its location", async () => {
    const yaml = exceptWhere("flow.name == 'a'", `flow.name == 'b' or ${found("artifact.name", LARGE)}`);
    const { status, body } = await pipeline(service).policy("large", yaml);
    expect([status, body.errors]).toEqual([
      400,
      { "policy_file.artifacts.provenance.exceptions[1].if": `line 7, column 13: ${REFUSED}` },
    ]);
    const policies = await send(service, { path: `/policies/${ORG}` });
    expect(policies.body).toEqual([]);
  });

  it.each([
    { properties: { name: { pattern: LARGE } } },
    { patternProperties: { [LARGE]: { type: "string" } } },
  ])("in the schema that contains it: %#", async (schema) => {
    const { customType, customTypes } = attestations(service);
    const { status, body } = await customType({ name: "large" }, schema);
    expect([status, body.errors]).toEqual([400, { type_schema: REFUSED }]);
    expect((await customTypes("/large")).status).toBe(404);
  });

  it("in a query, even when there is no name to match yet", async () => {
    const { status, body } = await attestations(service).list(`?name_regex=${encodeURIComponent(LARGE)}`);
    expect([status, body.errors]).toEqual([
      400,
      { "query.name_regex": `Input should be a valid regular expression: ${REFUSED}` },
    ]);
  });

  it("during evaluation of a policy that an earlier version of the service accepted", async () => {
    const { environment, report } = pipeline(service);
    const store = await openDataFolder(service.dataFolder);
    await store.write(async (db) => {
      const { id: orgId } = await soleOrganization(db, ORG);
      const source = exceptWhere(found("artifact.name", LARGE));
      const written = { source, definition: parsePolicyFile(source).definition, controlIds: [] };
      const fields = { name: "early", description: "", comment: "" };
      await putPolicy(db, fields, written, { orgId, accountName: "ada", now: 1 });
    });
    await store.close();
    await environment("held", { policies: ["early"] });
    expectRefusal(await report("held", [pod("web")]), 400, REFUSED);
    expectRefusal(await send(service, { path: `/snapshots/${ORG}/held/-1` }), 404, expect.any(String));
  });
});

describe("the limit of patterns times texts", () => {
  const different = Array.from({ length: 600 }, (_, i) => found("artifact.name", `^x${i}`));
  const pods = Array.from({ length: 2_000 }, (_, i) => pod(`web-${i}`));
  const fingerprint = (i: number) => i.toString(16).padStart(64, "0");

  it("refuses what exceeds it, and records no report", async () => {
    const { environment, policy, report } = pipeline(service);
    expect((await policy("many", exceptWhere(...different))).status).toBe(201);
    await environment("crowded", { policies: ["many"] });
    expectRefusal(
      await report("crowded", pods),
      400,
      "600 policy patterns have 1200000 texts to match, such as artifact names; the limit is 1000000",
    );
  });

  it("counts equal patterns once, and equal names once", async () => {
    const { environment, policy, report } = pipeline(service);
    await policy("same", exceptWhere(...different.map(() => found("artifact.name", "^x"))));
    await environment("large", { policies: ["same"] });
    expect((await report("large", pods)).status).toBe(201);
    await environment("uniform", { policies: ["many"] });
    const replicas = pods.map((_, i) => ({ ...pod("web", fingerprint(i)), podName: `web-${i}` }));
    expect((await report("uniform", replicas)).status).toBe(201);
  });
});

describe("the patterns of a policy", () => {
  const TAGGED = "b".repeat(64);
  const conditions = [
    found("artifact.name", "^base:"),
    `${found("flow.tags.kind", "^old-\\d+$")} and not ${found("flow.name", "^p")}`,
  ];
  beforeAll(async () => {
    const { artifact, flow, policy, environment } = pipeline(service);
    for (const [name, kind] of [
      ["ours", "old-7"],
      ["past", "old-8"],
    ]) {
      await flow(String(name));
      const json = { set_tags: { kind } };
      await send(service, { method: "PATCH", path: `/tags/${ORG}/flow/${name}`, json });
    }
    await artifact("ours", "t1", { fingerprint: TAGGED });
    const rules = `${exceptWhere("1 == 2")}  attestations:
    - { type: generic, name: unit, if: ${JSON.stringify(`\${{ not (${conditions.join(" or ")}) }}`)} }
`;
    expect((await policy("strict", rules)).status).toBe(201);
    await environment("prod", { policies: ["strict"] });
  });

  const applicable = (evaluations: { rule_evaluations: { ignored: boolean }[] }[]) =>
    evaluations.map(({ rule_evaluations }) => rule_evaluations.at(-1)?.ignored === false);

  it("are matched against artifacts, flows and tags when an artifact is asserted", async () => {
    const { body } = await pipeline(service).assert(TAGGED, "?policy_name=strict");
    expect([body.compliant, applicable(body.policy_evaluations)]).toEqual([true, [false]]);
    await pipeline(service).artifact("past", "t1", { fingerprint: TAGGED });
    const now = await pipeline(service).assert(TAGGED, "?policy_name=strict");
    expect([now.body.compliant, applicable(now.body.policy_evaluations)]).toEqual([false, [true]]);
  });

  it("are matched against reports, and again when the policies of an environment change", async () => {
    const { environment, report, policy } = pipeline(service);
    const states = async () => {
      const { body } = await send(service, { path: `/snapshots/${ORG}/prod/-1` });
      return Object.fromEntries(
        body.artifacts.map((each: { name: string; compliant: boolean }) => [each.name, each.compliant]),
      );
    };
    expect((await report("prod", [pod("base:1"), pod("web:1")])).status).toBe(201);
    expect(await states()).toEqual({ "base:1": false, "web:1": false });
    await policy("lenient", exceptWhere(found("artifact.name", ":1$")));
    await environment("prod", { policies: ["lenient"] });
    expect(await states()).toEqual({ "base:1": true, "web:1": true });
  });
});
