import { describe, expect, it } from "vitest";
import type { OperationName } from "../../src/api/resources/operations.ts";
import { pipeline } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { EXTRA, type InvalidBody, invalidBodies, namePattern, PATTERN, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { someCommit, someFingerprint, unique } from "./unique.ts";

const target = await conformance();
const { client, ask, org } = target;
const { delivered, attest, trail, flow, artifact } = pipeline(target);
const built = await delivered();
const params = { flow_name: built.flow, trail_name: built.trail };
const place = { flowName: built.flow, trailName: built.trail };
const typeName = unique("type");
await client.createCustomAttestationType({ body: { name: typeName } });
const knownControl = unique("CTL");
await client.createControl({ body: { identifier: knownControl, name: "c" } });

const junit = { name: "suite", failures: 0, errors: 0, skipped: 1, total: 3, duration: 1.5, timestamp: 5 };
const snyk = (counts: object = {}) => ({
  schema_version: 1,
  tool: { name: "snyk", version: "1" },
  results: [{ low_count: 0, medium_count: 0, high_count: 0, ...counts }],
});
const pullRequest = {
  url: "https://github.com/o/r/pull/1",
  state: "OPEN",
  author: "ada",
  title: "t",
  created_at: 5,
  head_ref: "topic",
  base_ref: "main",
  merge_commit: null,
  approvers: [{ username: "bob", state: "APPROVED", timestamp: 6 }],
  commits: [{ sha1: someCommit() }],
};
const briefPullRequest = {
  url: "https://x.example/1",
  state: "merged",
  merge_commit: "",
  approvers: ["bob"],
};
const jira = (issue_exists: boolean) => ({
  issue_id: "A-1",
  issue_url: "https://j.example/A-1",
  issue_exists,
});
const sonar = (status: string) => ({
  analysedAt: "2026-01-01T00:00:00+0000",
  revision: someCommit(),
  project: { key: "k", url: "https://sonar.example/k" },
  qualityGate: { status, conditions: [] },
});

/** One kind of attestation: its fields, and the result that the service derives. */
interface Kind {
  readonly operation: OperationName;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Data whose compliance the service must decide. */
  readonly verdicts: readonly (readonly [data: Readonly<Record<string, unknown>>, isCompliant: boolean])[];
  /** The fields of the kind in the record. */
  readonly recorded: readonly string[];
  readonly invalid: readonly InvalidBody[];
  /** Set if the kind accepts unknown fields. */
  readonly open?: true;
}

const KINDS: readonly Kind[] = [
  {
    operation: "attestGeneric",
    type: "generic",
    data: { is_compliant: true },
    verdicts: [
      [{ is_compliant: true }, true],
      [{ is_compliant: false }, false],
    ],
    recorded: [],
    invalid: [
      [{ is_compliant: undefined }, "is_compliant", REQUIRED],
      [{ is_compliant: "yes" }, "is_compliant", "Input should be a valid boolean, unable to interpret input"],
    ],
  },
  {
    operation: "attestJunit",
    type: "junit",
    data: { junit_results: [junit] },
    verdicts: [
      [{ junit_results: [junit, junit] }, true],
      [{ junit_results: [junit, { ...junit, failures: 1 }] }, false],
      [{ junit_results: [{ ...junit, errors: 1 }] }, false],
    ],
    recorded: ["junit_results"],
    invalid: [
      [{ junit_results: undefined }, "junit_results", REQUIRED],
      [{ junit_results: [{ ...junit, total: undefined }] }, "junit_results[0].total", REQUIRED],
      [
        { junit_results: [{ ...junit, errors: 1.5 }] },
        "junit_results[0].errors",
        "Input should be a valid integer",
      ],
      [{ junit_results: [{ ...junit, other: 1 }] }, "junit_results[0].other", EXTRA],
    ],
  },
  {
    operation: "attestSnyk",
    type: "snyk",
    data: { snyk_results: snyk() },
    verdicts: [
      [{ snyk_results: snyk() }, true],
      [{ snyk_results: snyk({ high_count: 1, high: [{ id: "i", message: "m" }] }) }, false],
      [{ snyk_results: snyk({ medium_count: 1 }) }, false],
    ],
    recorded: ["processed_snyk_results"],
    invalid: [
      [{ snyk_results: undefined }, "snyk_results", REQUIRED],
      [{ snyk_results: { ...snyk(), tool: { name: "snyk" } } }, "snyk_results.tool.version", REQUIRED],
      [{ snyk_results: snyk({ low_count: undefined }) }, "snyk_results.results[0].low_count", REQUIRED],
      [{ snyk_results: snyk({ low: [{ id: "i" }] }) }, "snyk_results.results[0].low[0].message", REQUIRED],
      [{ snyk_results: { ...snyk(), other: 1 } }, "snyk_results.other", EXTRA],
    ],
  },
  {
    operation: "attestPullRequest",
    type: "pull_request",
    data: { git_provider: "github", pull_requests: [pullRequest] },
    verdicts: [
      [{ pull_requests: [pullRequest] }, true],
      [{ pull_requests: [briefPullRequest], git_provider: "gitlab" }, true],
      [{ pull_requests: [] }, false],
    ],
    recorded: ["git_provider", "pull_requests"],
    invalid: [
      [{ git_provider: undefined }, "git_provider", REQUIRED],
      [{ git_provider: "svn" }, "git_provider", "Input should be 'github', 'gitlab', 'bitbucket' or 'azure'"],
      [{ pull_requests: undefined }, "pull_requests", REQUIRED],
      [{ pull_requests: {} }, "pull_requests", "Input should be a valid list"],
    ],
  },
  {
    operation: "attestJira",
    type: "jira",
    data: { jira_results: [jira(true)] },
    verdicts: [
      [{ jira_results: [{ ...jira(true), issue_fields: { status: "Done" } }] }, true],
      [{ jira_results: [jira(true), jira(false)] }, false],
      [{ jira_results: [] }, false],
    ],
    recorded: ["jira_results"],
    invalid: [
      [{ jira_results: undefined }, "jira_results", REQUIRED],
      [{ jira_results: [{ ...jira(true), issue_url: undefined }] }, "jira_results[0].issue_url", REQUIRED],
      [{ jira_results: [{ ...jira(true), other: 1 }] }, "jira_results[0].other", EXTRA],
    ],
  },
  {
    operation: "attestSonar",
    type: "sonar",
    data: { sonar_results: sonar("OK") },
    verdicts: [
      [{ sonar_results: { ...sonar("OK"), branch: { name: "main", type: "LONG" } } }, true],
      [{ sonar_results: sonar("ERROR") }, false],
    ],
    recorded: ["sonar_results"],
    invalid: [
      [{ sonar_results: undefined }, "sonar_results", REQUIRED],
      [{ sonar_results: { ...sonar("OK"), revision: undefined } }, "sonar_results.revision", REQUIRED],
      [{ sonar_results: { ...sonar("OK"), project: { key: "k" } } }, "sonar_results.project.url", REQUIRED],
    ],
  },
  {
    operation: "attestCustom",
    type: `custom:${typeName}`,
    data: { type_name: typeName, attestation_data: { any: 1 } },
    verdicts: [[{ attestation_data: { any: "thing" } }, true]],
    recorded: ["attestation_data"],
    invalid: [
      [{ type_name: undefined }, "type_name", REQUIRED],
      [{ type_name: "a.b" }, "type_name", PATTERN],
      [{ attestation_data: undefined }, "attestation_data", REQUIRED],
    ],
  },
  {
    operation: "attestSystem",
    type: "system:decision",
    data: { type_name: "decision", control: knownControl, attestation_data: { is_compliant: true } },
    verdicts: [
      [{ attestation_data: { is_compliant: true } }, true],
      [{ attestation_data: { is_compliant: false } }, false],
    ],
    recorded: ["attestation_data"],
    invalid: [
      [{ type_name: undefined }, "type_name", REQUIRED],
      [{ type_name: "verdict" }, "type_name", "Input should be 'generic', 'junit'"],
      [{ attestation_data: undefined }, "attestation_data", REQUIRED],
      [{ attestation_data: {} }, "attestation_data.is_compliant", REQUIRED],
      [
        { control: "CTL-none" },
        "control",
        `Control 'CTL-none' does not exist in organization '${org}' [input: CTL-none]`,
      ],
    ],
    open: true,
  },
];

/** Refused for every kind. */
const INVALID_COMMON: readonly InvalidBody[] = [
  [{ attestation_name: undefined }, "attestation_name", REQUIRED],
  [{ origin_url: "" }, "origin_url", "Input should be a valid URL, input is empty [input: ]"],
  [{ origin_url: "javascript:alert(1)" }, "origin_url", "URL scheme should be 'http' or 'https'"],
  [{ description: 7 }, "description", "Input should be a valid string"],
  [{ artifact_fingerprint: "ab12c" }, "artifact_fingerprint", PATTERN],
  [{ target_artifacts: ["a b"] }, "target_artifacts[0]", PATTERN],
  [{ git_commit_info: { message: "m" } }, "git_commit_info.sha1", REQUIRED],
  [
    { git_commit_info: { sha1: "a", timestamp: "x" } },
    "git_commit_info.timestamp",
    "Input should be a valid number",
  ],
  [{ repo_info: { name: "o/r" } }, "repo_info.url", REQUIRED],
  [{ external_urls: { "a=b": { href: "https://x.example" } } }, "external_urls.a=b", PATTERN],
  [{ external_urls: { a: { href: "https://x.example", other: 1 } } }, "external_urls.a.other", EXTRA],
  [
    { external_urls: { a: { href: "https://x.example", fingerprint: "x" } } },
    "external_urls.a.fingerprint",
    PATTERN,
  ],
  [{ annotations: { "a b": "x" } }, "annotations.a b", PATTERN],
  [{ annotations: { a: 1 } }, "annotations.a", "Input should be a valid string"],
  [{ annotations: "" }, "annotations", "Input should be a valid dictionary [input: ]"],
  [{ user_data: "" }, "user_data", "Input should be a valid dictionary"],
];

describe.each(KINDS)("$operation", ({ operation, type, data, verdicts, recorded, invalid, open }) => {
  const fields = (more: object = {}) => ({
    params,
    body: { attestation_name: unique("attestation"), ...data, ...more },
  });

  it.each(verdicts)("of %j is compliant: %s", async (verdict, isCompliant) => {
    const request = fields(verdict);
    const reply = await ask(operation, request);
    expect([reply.status, reply.body]).toEqual([201, "OK"]);
    const { body } = await ask("listTrailAttestations", {
      params: { ...params, attestation_name: request.body.attestation_name },
    });
    expect(body).toMatchObject([
      { attestation_type: type, is_compliant: isCompliant, user_data: {}, flow_name: built.flow },
    ]);
    for (const field of recorded) expect(body[0]).toHaveProperty(field);
  });

  it("accepts null for optional fields", async () => {
    const empty = { origin_url: null, description: null, git_commit_info: null, user_data: null };
    expect((await ask(operation, fields(empty))).status).toBe(201);
  });

  it(`${open ? "takes" : "refuses"} unknown fields`, async () => {
    const { status, body } = await ask(operation, fields({ other: 1 }));
    expect([status, body.errors]).toEqual(open ? [201, undefined] : [400, { other: `${EXTRA} [input: 1]` }]);
  });

  it("is refused for an artifact that the trail does not know", async () => {
    const fingerprint = someFingerprint();
    await expectRefusal(
      ask(operation, fields({ artifact_fingerprint: fingerprint })),
      404,
      `Artifact with fingerprint ${fingerprint} does not exist in trail "${built.trail}" of flow "${built.flow}" belonging to organization "${org}"`,
    );
  });

  invalidBodies(target, operation, () => fields(), [...INVALID_COMMON, ...invalid]);
  namePattern(
    target,
    operation,
    "attestation_name",
    { within: "-_,", never: "./~:", plainStart: false },
    (build) => fields({ attestation_name: build(unique("attestation")) }),
  );
});

describe("through the client", () => {
  /** Records under a new name and reads the record. */
  const recorded = async (
    record: (attestationName: string) => Promise<{ status: number; body: unknown }>,
  ): Promise<unknown> => {
    const attestationName = unique("attestation");
    const reply = await record(attestationName);
    expect([reply.status, reply.body]).toEqual([201, "OK"]);
    return (await client.listTrailAttestations({ ...place, attestationName })).body;
  };

  it("test results are recorded and read", async () => {
    const records = await recorded((attestationName) =>
      client.attestJunit({ ...place, body: { attestationName, junitResults: [junit] } }),
    );
    expect(records).toMatchObject([{ attestationType: "junit", junitResults: [junit] }]);
  });

  it("a scan is recorded and read", async () => {
    const found = {
      lowCount: 0,
      mediumCount: 0,
      highCount: 1,
      high: [{ id: "i", message: "m", priorityScore: 7, locations: [{ uri: "a.ts", lines: "1-2" }] }],
    };
    const snykResults = { schemaVersion: 1, tool: { name: "snyk", version: "1" }, results: [found] };
    const records = await recorded((attestationName) =>
      client.attestSnyk({ ...place, body: { attestationName, snykResults } }),
    );
    expect(records).toMatchObject([
      { attestationType: "snyk", schemaVersion: 2, processedSnykResults: snykResults },
    ]);
  });

  it("pull requests of either shape are recorded and read", async () => {
    const whole = {
      url: "https://github.com/o/r/pull/1",
      state: "MERGED",
      author: "ada",
      title: "t",
      createdAt: 5,
      mergedAt: 6,
      headRef: "topic",
      baseRef: "main",
      mergeCommit: someCommit(),
      approvers: [{ username: "bob", state: "APPROVED", timestamp: 6 }],
      commits: [{ sha1: someCommit(), authorUsername: "ada" }],
    };
    const brief = { url: "https://x.example/1", state: "merged", mergeCommit: "", approvers: ["bob"] };
    const values = { gitProvider: "github", pullRequests: [whole, brief] } as const;
    const records = await recorded((attestationName) =>
      client.attestPullRequest({
        ...place,
        body: { attestationName, ...values, pullRequests: [whole, brief] },
      }),
    );
    expect(records).toMatchObject([{ attestationType: "pull_request", ...values }]);
  });

  it("issues are recorded and read", async () => {
    const jiraResults = [
      {
        issueId: "A-1",
        issueUrl: "https://j.example/A-1",
        issueExists: true,
        issueFields: { fix_versions: ["1"] },
      },
    ];
    const records = await recorded((attestationName) =>
      client.attestJira({ ...place, body: { attestationName, jiraResults } }),
    );
    expect(records).toMatchObject([{ attestationType: "jira", jiraResults }]);
  });

  it("an analysis is recorded and read", async () => {
    const sonarResults = sonar("OK");
    const records = await recorded((attestationName) =>
      client.attestSonar({ ...place, body: { attestationName, sonarResults } }),
    );
    expect(records).toMatchObject([{ attestationType: "sonar", sonarResults }]);
  });

  it("data of a custom type is recorded and read with unchanged keys", async () => {
    const values = { typeName, attestationData: { snake_case: { camelCase: 1 } } };
    const records = await recorded((attestationName) =>
      client.attestCustom({ ...place, body: { attestationName, ...values } }),
    );
    expect(records).toMatchObject([{ attestationType: `custom:${typeName}`, ...values }]);
  });

  it("a decision about a control is recorded and read", async () => {
    const values = {
      typeName: "decision",
      control: knownControl,
      attestationData: { is_compliant: false },
    } as const;
    const records = await recorded((attestationName) =>
      client.attestSystem({ ...place, body: { attestationName, ...values } }),
    );
    expect(records).toMatchObject([{ attestationType: "system:decision", isCompliant: false, ...values }]);
  });

  it("an override is recorded and read", async () => {
    const attestationName = unique("attestation");
    const common = { ...place, body: { attestationName, isCompliant: false } };
    await client.attestGeneric(common);
    const { body: before } = await client.listTrailAttestations({ ...place, attestationName });
    const values = {
      reason: "accepted risk",
      newComplianceStatus: true,
      originalAttestationType: "generic",
    };
    await client.overrideAttestation({ ...place, body: { attestationName, ...values } });
    const { body: records } = await client.listTrailAttestations({ ...place, attestationName });
    expect(records).toMatchObject([
      {
        attestationType: "override",
        isCompliant: true,
        overriddenAttestationId: before[0]?.attestationId,
        ...values,
      },
      { attestationType: "generic", isCompliant: false },
    ]);
    const { body: found } = await client.getTrail(place);
    expect(found.complianceStatus.attestationsStatuses).toContainEqual(
      expect.objectContaining({ attestationName, attestationType: "generic", isCompliant: true }),
    );
    const verdictsOf = async (...type: string[]) =>
      (await client.listAttestations({ name: attestationName, type })).body.data.map(
        ({ isCompliant }) => isCompliant,
      );
    expect(await verdictsOf("override")).toEqual([true]);
    expect(await verdictsOf("generic")).toEqual([false]);
    expect(await verdictsOf("override", "generic")).toEqual([true, false]);
    expect(await verdictsOf("odd")).toEqual([]);
  });
});

describe("an SBOM", () => {
  const document = { bomFormat: "CycloneDX", specVersion: "1.6", components: [{ name: "left-pad" }] };
  const data = { format: "cyclonedx-json", original_fingerprint: "a".repeat(64), document };
  const attestSbom = (attestation_name: string, attestation_data: unknown) =>
    ask("attestSystem", {
      params,
      body: {
        ...{ attestation_name, type_name: "sbom", attestation_data },
        annotations: { sbom_format: "cyclonedx-json", sbom_sha256: "a".repeat(64) },
      },
      files: { attachment_file: { name: "bom.json", text: JSON.stringify(document) } },
    });

  it.each([
    ["as JSON", data],
    ["as JSON text", JSON.stringify(data)],
    ["of a format that is not JSON", { ...data, format: "cyclonedx-xml", document: "<bom/>" }],
  ])("is recorded with its file, and is compliant, %s", async (_, given) => {
    const attestationName = unique("attestation");
    expect((await attestSbom(attestationName, given)).status).toBe(201);
    const { body } = await client.listTrailAttestations({ ...place, attestationName });
    expect(body).toMatchObject([
      { attestationType: "system:sbom", isCompliant: true, typeName: "sbom", hasAuditPackage: true },
    ]);
    expect(body[0]).toMatchObject({ attestationData: { original_fingerprint: "a".repeat(64) } });
  });

  it("without its fields is refused", async () => {
    const answer = ask("attestSystem", {
      params,
      body: { attestation_name: "sbom", type_name: "sbom", attestation_data: { original_fingerprint: "x" } },
    });
    await expectInvalid(answer, {
      "attestation_data.format": REQUIRED,
      "attestation_data.original_fingerprint": PATTERN,
      "attestation_data.document": REQUIRED,
    });
  });
});

it("a pull request with an empty merge commit is recorded without one", async () => {
  const attestationName = unique("attestation");
  const body = {
    attestation_name: attestationName,
    git_provider: "github",
    pull_requests: [{ ...pullRequest, merge_commit: "" }, briefPullRequest],
  };
  expect((await ask("attestPullRequest", { params, body })).status).toBe(201);
  const { body: records } = await client.listTrailAttestations({ ...place, attestationName });
  expect(records).toMatchObject([{ pullRequests: [{ mergeCommit: null }, { mergeCommit: "" }] }]);
});

it("a pull request in neither of its shapes is refused", async () => {
  const body = {
    attestation_name: "pr",
    git_provider: "github",
    pull_requests: [{ url: "https://x.example/1" }],
  };
  const answer = await ask("attestPullRequest", { params, body });
  expect(answer.status).toBe(400);
  expect(Object.keys(answer.body.errors).join()).toMatch(/^pull_requests\[0\]/);
});

describe("overriding an attestation", () => {
  const overriding = (more: object = {}) => ({
    params,
    body: {
      attestation_name: "unit",
      reason: "accepted risk",
      new_compliance_status: true,
      original_attestation_type: "generic",
      ...more,
    },
  });

  it("changes the result of the latest of its name, and names it", async () => {
    const own = await delivered();
    const attestationName = await attest(own, false);
    const state = async () => {
      const { body } = await client.getTrail({ flowName: own.flow, trailName: own.trail });
      return { state: body.complianceState, of: body.complianceStatus.artifactsStatuses?.["web"] };
    };
    expect((await state()).state).toBe("NON-COMPLIANT");
    const { status, body } = await client.overrideAttestation({
      flowName: own.flow,
      trailName: own.trail,
      body: {
        attestationName,
        reason: "accepted risk",
        newComplianceStatus: true,
        originalAttestationType: "generic",
        artifactFingerprint: own.fingerprint,
      },
    });
    expect([200, 201]).toContain(status);
    expect(body).toBe("OK");
    const after = await state();
    expect(after.state).toBe("COMPLIANT");
    expect(after.of?.attestationsStatuses).toMatchObject([
      { attestationName, isCompliant: true, overriddenAttestationId: expect.any(String) },
    ]);
  });

  it("is accepted if the template requires it and nothing was attested", async () => {
    const own = await flow(`version: 1
trail:
  attestations: [{ name: review, type: pull_request }]
  artifacts:
    - name: web
      attestations: [{ name: unit, type: junit }, { name: scan, type: "*" }]
    - name: api
      attestations: [{ name: unit, type: junit }]
`);
    const at = await artifact(own, await trail(own));
    const { fingerprint, commit } = at;
    const override = async (type: string, more: object) => {
      const request = overriding({ original_attestation_type: type, ...more });
      return ask("overrideAttestation", { ...request, params: { flow_name: own, trail_name: at.trail } });
    };
    const values = {
      description: "by hand",
      annotations: { by: "ada" },
      external_urls: { report: { href: "https://x.example/r" } },
      user_data: { tests: 1.5 },
    };
    const accepted = [
      await override("pull_request", { attestation_name: "review", ...values }),
      await override("junit", { artifact_fingerprint: fingerprint }),
      await override("snyk", {
        attestation_name: "scan",
        target_artifacts: ["web"],
        git_commit_info: { sha1: commit },
        new_compliance_status: false,
      }),
      await override("junit", { target_artifacts: ["api"], git_commit_info: { sha1: commit } }),
    ];
    expect(accepted.map(({ status, body }) => [status, body])).toEqual(accepted.map(() => [200, "OK"]));

    const { complianceStatus } = (await client.getTrail({ flowName: own, trailName: at.trail })).body;
    const slot = (attestationName: string, attestationType: string, isCompliant = true) => ({
      attestationName,
      attestationType,
      isCompliant,
      status: "COMPLETE",
      unexpected: false,
      overriddenAttestationId: null,
    });
    expect(complianceStatus.attestationsStatuses).toMatchObject([slot("review", "pull_request")]);
    expect(complianceStatus.artifactsStatuses).toMatchObject({
      web: { attestationsStatuses: [slot("unit", "junit"), slot("scan", "snyk", false)] },
      api: { attestationsStatuses: [slot("unit", "junit")] },
    });
    const { body: records } = await ask("listTrailAttestations", {
      params: { flow_name: own, trail_name: at.trail, attestation_name: "review" },
    });
    expect(records).toMatchObject([{ ...values, is_compliant: true, overridden_attestation_id: null }]);
  });

  it("is accepted for a name whose only record is of another type than the template requires", async () => {
    const own = await flow("version: 1\ntrail: { attestations: [{ name: unit, type: junit }] }\n");
    const [flowName, trailName] = [own, await trail(own)];
    const body = { attestationName: "unit", isCompliant: true };
    await client.attestGeneric({ flowName, trailName, body });
    const request = {
      ...overriding({ original_attestation_type: "junit" }),
      params: { flow_name: own, trail_name: trailName },
    };
    expect((await ask("overrideAttestation", request)).status).toBe(200);
    expect((await client.getTrail({ flowName, trailName })).body.complianceState).toBe("COMPLIANT");
  });

  it("is refused for another type than the template requires, and for a name that it does not have", async () => {
    const own = await flow(
      "version: 1\ntrail: { artifacts: [{ name: web, attestations: [{ name: unit, type: junit }] }] }\n",
    );
    const at = await artifact(own, await trail(own));
    const override = (more: object) =>
      ask("overrideAttestation", { ...overriding(more), params: { flow_name: own, trail_name: at.trail } });
    await expectInvalid(override({ artifact_fingerprint: at.fingerprint }), {
      original_attestation_type: "The template requires 'unit' of type 'junit' [input: generic]",
    });
    const message = (name: string) =>
      `Attestation named '${name}' does not exist in trail '${at.trail}' of flow '${own}'`;
    await expectRefusal(override({}), 404, message("unit"));
    const elsewhere = { target_artifacts: ["api"], git_commit_info: { sha1: at.commit } };
    await expectRefusal(override(elsewhere), 404, message("unit"));
    const none = { attestation_name: "none", artifact_fingerprint: at.fingerprint };
    await expectRefusal(override(none), 404, message("none"));
  });

  it("is refused if nothing of that name was attested", async () => {
    const none = unique("none");
    const override = (more: object, at: object = {}) => {
      const request = overriding({ attestation_name: none, ...more });
      return ask("overrideAttestation", { ...request, params: { ...request.params, ...at } });
    };
    const message = `Attestation named '${none}' does not exist in trail '${built.trail}' of flow '${built.flow}'`;
    await expectRefusal(override({}), 404, message);
    await expectRefusal(override({ artifact_fingerprint: built.fingerprint }), 404, message);
    const fingerprint = someFingerprint();
    await expectRefusal(
      override({ artifact_fingerprint: fingerprint }),
      404,
      `Artifact with fingerprint ${fingerprint} does not exist in trail "${built.trail}" of flow "${built.flow}" belonging to organization "${org}"`,
    );
    await expectRefusal(
      override({}, { trail_name: none }),
      404,
      `Trail with name '${none}' does not exist for Organization '${org}' and Flow '${built.flow}'`,
    );
    await expectRefusal(
      override({}, { flow_name: none }),
      404,
      `Flow named '${none}' does not exist for organization '${org}'`,
    );
  });

  it("is refused for an attestation of another type than given", async () => {
    const attestationName = await attest(built);
    const values = { artifact_fingerprint: built.fingerprint, original_attestation_type: "junit" };
    await expectInvalid(
      ask("overrideAttestation", overriding({ attestation_name: attestationName, ...values })),
      {
        original_attestation_type: `The latest attestation named '${attestationName}' is of type 'generic'`,
      },
    );
  });

  it("of an artifact by its name needs a commit, and finds it by that", async () => {
    const attestationName = await attest(built, false);
    const reference = { attestation_name: attestationName, target_artifacts: ["web"] };
    await expectRefusal(
      ask("overrideAttestation", overriding(reference)),
      400,
      /requires at least one of: artifact_fingerprint or git_commit_info\./,
    );
    const found = overriding({ ...reference, git_commit_info: { sha1: built.commit } });
    expect((await ask("overrideAttestation", found)).status).toBe(200);
    const { body } = await client.getArtifactAttestation({
      flowName: built.flow,
      fingerprint: built.fingerprint,
      attestationName,
    });
    expect(body.map(({ isCompliant }) => isCompliant)).toEqual([true, false]);
  });

  it.each(["junit", "snyk", "pull_request", "jira", "sonar", "custom:x", "system:decision"])(
    "knows the original type %s",
    async (type) => {
      const { status } = await ask(
        "overrideAttestation",
        overriding({ attestation_name: unique("none"), original_attestation_type: type }),
      );
      expect(status).toBe(404);
    },
  );

  invalidBodies(target, "overrideAttestation", () => overriding(), [
    ...INVALID_COMMON,
    [{ reason: undefined }, "reason", REQUIRED],
    [{ new_compliance_status: undefined }, "new_compliance_status", REQUIRED],
    [{ new_compliance_status: "x" }, "new_compliance_status", "Input should be a valid boolean"],
    [{ original_attestation_type: undefined }, "original_attestation_type", REQUIRED],
    [{ original_attestation_type: "x" }, "original_attestation_type", ""],
    [{ is_compliant: true }, "is_compliant", EXTRA],
  ]);
});
