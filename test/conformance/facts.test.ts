import { describe, expect, it } from "vitest";
import type { SystemType } from "../../src/api/resources/attestation-type.ts";
import { pipeline } from "./pipeline.ts";
import { expectInvalid } from "./refusal.ts";
import { type InvalidBody, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { someCommit, unique } from "./unique.ts";

const target = await conformance();
const { client, ask } = target;
const { delivered, flow, trail } = pipeline(target);
const built = await delivered();
const params = { flow_name: built.flow, trail_name: built.trail };

const suite = { name: "s", failures: 1, errors: 1, skipped: 0, total: 3, duration: 1.5 };
const junit = { junit_results: [suite] };
const scan = {
  sarif_results: {
    schema_version: 1,
    tool: { name: "Trivy", version: "0.67" },
    results: [
      {
        high_count: 1,
        medium_count: 0,
        low_count: 0,
        high: [{ id: "CVE-1", message: "m", locations: [{ uri: "a.ts", lines: "1-2" }] }],
      },
    ],
  },
};
const analysis = {
  analysedAt: "2026-01-01T00:00:00+0000",
  revision: someCommit(),
  project: { key: "k", url: "https://sonar.example/k" },
};
const sonar = { sonar_results: { ...analysis, qualityGate: { name: "g", status: "ERROR", conditions: [] } } };
const issue = { issue_id: "A-1", issue_url: "https://j.example/A-1", issue_exists: false };
/** As the public client sends it for `attest sbom`: what the file does not say is null. */
const sbom = {
  format: "spdx-2.3",
  original_fingerprint: "a".repeat(64),
  document: {
    created_at: "2026-01-01T00:00:00Z",
    tools: null,
    subject: { name: "web", version: "1.2", purl: null, sha256: null },
    package_count: 4,
  },
};

/** Data that a rule of the judged kind would refuse, where there is such a kind. */
const BAD: Readonly<Record<Exclude<SystemType, "decision" | "generic">, Readonly<Record<string, unknown>>>> =
  {
    junit,
    pull_request: { git_provider: "github", pull_requests: [] },
    jira: { jira_results: [issue] },
    sonar,
    sarif: scan,
    sbom,
  };

/** Records facts under a new name, and reads the record in the names of the interface. */
async function recorded(typeName: string, data: unknown, more: object = {}) {
  const attestation_name = unique("facts");
  const body = { attestation_name, type_name: typeName, attestation_data: data, ...more };
  expect((await ask("attestSystem", { params, body })).status).toBe(201);
  const read = await ask("listTrailAttestations", { params: { ...params, attestation_name } });
  return read.body[0];
}

describe("facts of a tool", () => {
  it.each(Object.entries(BAD))(
    "are compliant because they could be read, whatever they say: %s",
    async (typeName, data) => {
      for (const given of [data, JSON.stringify(data), { ...data, is_compliant: false }]) {
        expect(await recorded(typeName, given)).toMatchObject({
          attestation_type: `system:${typeName}`,
          type_name: typeName,
          type_version: 1,
          is_compliant: true,
          attestation_data: data,
        });
      }
    },
  );

  it.each(["generic", "decision"])("say whether they are compliant: %s", async (typeName) => {
    for (const is_compliant of [true, false])
      expect(await recorded(typeName, { is_compliant })).toMatchObject({ is_compliant });
  });

  it("have the fields that the judged kinds have in their records, and the quality gate by both names", async () => {
    expect(await recorded("junit", junit)).toMatchObject(junit);
    expect(await recorded("jira", BAD.jira)).toMatchObject(BAD.jira);
    expect(await recorded("sarif", scan)).toMatchObject(scan);
    expect(await recorded("pull_request", BAD.pull_request)).toMatchObject(BAD.pull_request);
    const gate = sonar.sonar_results.qualityGate;
    const read = await recorded("sonar", sonar);
    expect(read.sonar_results).toEqual({ ...sonar.sonar_results, quality_gate: gate });
    expect(read.attestation_data).toEqual(sonar);
    expect((await recorded("sonar", { sonar_results: analysis })).sonar_results).toEqual(analysis);
  });

  it.each<readonly [SystemType, ...InvalidBody]>([
    ["generic", {}, "is_compliant", REQUIRED],
    ["junit", {}, "junit_results", REQUIRED],
    ["junit", { junit_results: [{ ...suite, total: undefined }] }, "junit_results[0].total", REQUIRED],
    ["pull_request", { git_provider: "github" }, "pull_requests", REQUIRED],
    ["jira", { jira_results: {} }, "jira_results", "Input should be a valid list"],
    ["sonar", { sonar_results: { ...analysis, revision: undefined } }, "sonar_results.revision", REQUIRED],
    ["sarif", { sarif_results: { results: [] } }, "sarif_results.tool", REQUIRED],
    ["sbom", { ...sbom, original_fingerprint: undefined }, "original_fingerprint", REQUIRED],
  ])("are refused if the data does not match the type: %s %j", async (typeName, data, field, text) => {
    const body = { attestation_name: unique("facts"), type_name: typeName, attestation_data: data };
    await expectInvalid(ask("attestSystem", { params, body }), { [`attestation_data.${field}`]: text });
  });

  it("may name the version of their type, of which there is one", async () => {
    for (const type_version of [1, "v1", null]) await recorded("junit", junit, { type_version });
    const body = { attestation_name: "f", type_name: "junit", attestation_data: junit, type_version: "v2" };
    await expectInvalid(ask("attestSystem", { params, body }), {
      type_version: "Input should be '1' or 'v1' [input: v2]",
    });
  });

  it("are found by their type, also by the name that only a system type has", async () => {
    const names = async (type: string, name: string) =>
      (await client.listAttestations({ type: [type], name })).body.data.length;
    const { attestation_name: tests } = await recorded("junit", junit);
    const { attestation_name: bom } = await recorded("sbom", sbom);
    expect([await names("system:junit", tests), await names("junit", tests)]).toEqual([1, 0]);
    expect([await names("system:sbom", bom), await names("sbom", bom)]).toEqual([1, 1]);
  });
});

it("facts are found by the issue that they name", async () => {
  const key = `FACTS-${Number.parseInt(someCommit().slice(0, 8), 16)}`;
  await recorded("jira", { jira_results: [{ ...issue, issue_id: key }] });
  const { body } = await client.search({ q: `jira:${key}` });
  expect(body.groups.find(({ kind }) => kind === "trail")?.results).toMatchObject([{ name: built.trail }]);
});

describe("a slot of a template", () => {
  const ORDER = ["tests", "judged", "bom"];
  const template = `version: 1
trail:
  attestations:
    - { name: tests, type: "system:junit" }
    - { name: judged, type: junit }
    - { name: bom, type: sbom }
`;
  const filled = async (own: string, facts: (name: string) => object) => {
    const trailName = await trail(own);
    for (const name of ORDER) {
      const body = { attestation_name: name, ...facts(name) };
      await ask("attestSystem", { params: { flow_name: own, trail_name: trailName }, body });
    }
    const { complianceStatus } = (await client.getTrail({ flowName: own, trailName })).body;
    const slots = (complianceStatus.attestationsStatuses ?? []).filter(({ unexpected }) => !unexpected);
    return Object.fromEntries(slots.map(({ attestationName, status }) => [attestationName, status]));
  };

  it("of a system type takes facts, and one of a judged kind does not: they would pass with failed tests", async () => {
    const own = await flow(template);
    const facts = (name: string) =>
      name === "bom"
        ? { type_name: "sbom", attestation_data: sbom }
        : { type_name: "junit", attestation_data: junit };
    expect(await filled(own, facts)).toEqual({ tests: "COMPLETE", judged: "MISSING", bom: "COMPLETE" });
  });

  it("can be overridden like any other", async () => {
    const own = await flow(template);
    const trailName = await trail(own);
    const body = {
      attestationName: "tests",
      originalAttestationType: "system:junit",
      newComplianceStatus: true,
      reason: "no tests in this release",
    };
    const { status } = await client.overrideAttestation({ flowName: own, trailName, body });
    expect(status).toBe(200);
  });
});

it("the types are listed with the JSON Schema of their data", async () => {
  const { body } = await client.listSystemAttestationTypes({});
  const versions = body.map(({ name, versions }) => [name, versions.map(({ version }) => version)]);
  expect(Object.fromEntries(versions)).toEqual({
    ...Object.fromEntries([...Object.keys(BAD), "generic", "decision"].map((name) => [name, [1]])),
  });
  expect(body.find(({ name }) => name === "junit")?.versions[0]?.typeSchema).toMatchObject({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    required: ["junit_results"],
    properties: { junit_results: { items: { required: expect.arrayContaining(["failures", "errors"]) } } },
  });
});
