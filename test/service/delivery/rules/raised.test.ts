import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { attestations } from "../../attestation-requests.ts";
import { COMMIT, FP, pipeline, send } from "../../requests.ts";
import { ORG } from "../../running-service.ts";
import { type WatchedService, watchedService } from "./rows.ts";

let service: WatchedService;
beforeEach(async () => {
  await service?.dispose();
  service = await watchedService();
});
afterAll(() => service.dispose());

const HOOK = { type: "WEBHOOK", webhook: "https://receiver.example/hook" };
const SLACK = { type: "SLACK", webhook: "https://hooks.slack.com/services/T/B/x" };
const MAIL = { type: "EMAIL", emails: ["ada@example.org", "bob@example.org"] };
const TEMPLATE = `version: 1
trail:
  attestations: [{ name: review, type: "*" }]
  artifacts: [{ name: web, attestations: [{ name: unit, type: "*" }] }]`;
const INFO = {
  sha1: COMMIT,
  author: "Ada <ada@example.org>",
  message: "Mend the gate\n\nIt was open.",
  url: "https://git.example/c/1",
};

const put = (path: string, json: object) => send(service, { method: "PUT", path, json });
const flowRule = (more: object = {}) =>
  put(`/actions/${ORG}/flows`, { name: "flows", targets: [HOOK], ...more });
const environmentRule = (more: object = {}) =>
  put(`/actions/${ORG}/environments`, {
    ...{ name: "environments", targets: [HOOK], environments: [], triggers: [] },
    ...more,
  });
const approve = (more: object = {}) =>
  send(service, {
    method: "POST",
    path: `/approvals/${ORG}/web`,
    json: { artifact_fingerprint: FP, description: "go", src_commit_list: [COMMIT], ...more },
  });
const REVIEW = { state: "APPROVED", comment: "go", approved_by: "ada", approval_url: "undefined" };
const triggers = async () => (await service.events()).map(({ event_type }) => event_type);

describe("in flows", () => {
  it("each trigger reports the event and its result", async () => {
    const { flow, trail, artifact, attest } = pipeline(service);
    const { override } = attestations(service);
    await flow("web", TEMPLATE);
    await flowRule();
    await trail("web", "t1", { git_commit_info: INFO, origin_url: "https://ci.example/run/1" });
    await trail("web", "t1", { description: "again" });
    await artifact("web", "t1");
    await attest("web", "t1", { artifact_fingerprint: FP, is_compliant: false });
    await override("web", { artifact_fingerprint: FP });
    await attest("web", "t1", { attestation_name: "review" });
    await approve();
    await approve({ approvals: [REVIEW] });
    const events = await service.events();
    expect(
      events.map(({ sequence, event_type, description }) => [sequence, event_type, description]),
    ).toEqual([
      [1, "STARTED_TRAIL", "Trail 't1' of flow 'web' began."],
      [2, "ATTESTED_PROVENANCE", "Artifact 'web:1.2' was reported to trail 't1' of flow 'web'."],
      [
        3,
        "ATTESTATION",
        "'unit' of artifact 'web:1.2' in trail 't1' of flow 'web' was attested as non-compliant.",
      ],
      [4, "NON_COMPLIANT_TRAIL", "Trail 't1' of flow 'web' became non-compliant."],
      [
        5,
        "ATTESTATION",
        "'unit' of artifact 'web:1.2' in trail 't1' of flow 'web' was attested as compliant.",
      ],
      [6, "ATTESTATION", "'review' of trail 't1' of flow 'web' was attested as compliant."],
      [7, "COMPLIANT_TRAIL", "Trail 't1' of flow 'web' became compliant."],
      [8, "APPROVAL", "Approval 1 of artifact 'web:1.2' was recorded in flow 'web' as PENDING."],
      [9, "APPROVAL_NEEDED", "Artifact 'web:1.2' of flow 'web' needs approval 1."],
      [10, "APPROVAL", "Approval 2 of artifact 'web:1.2' was recorded in flow 'web' as APPROVED."],
      [11, "RELEASE", "Artifact 'web:1.2' may be released, by approval 2 of flow 'web'."],
    ]);
    const page = `${service.address}/${ORG}/flows/web`;
    const [began, , failed] = events;
    const known = { sha: COMMIT, author: "Ada <ada@example.org>", message: "Mend the gate" };
    const commit = { ...known, html_url: "https://git.example/c/1" };
    expect(began).toEqual({
      ...{ sequence: 1, version: "1.0", type: "trail.started", event_type: "STARTED_TRAIL" },
      ...{ timestamp: "1800000000", org: ORG, flow: { name: "web", html_url: page } },
      description: "Trail 't1' of flow 'web' began.",
      trail: { name: "t1", compliance_state: "INCOMPLETE", html_url: `${page}/trails/t1` },
      reasons: ["'web' is missing", "'review' is missing", "'web.unit' is missing"],
      ...{ commit, run_url: "https://ci.example/run/1" },
    });
    const id = failed && "attestation" in failed ? failed.attestation?.attestation_id : undefined;
    expect(id).toMatch(/^[0-9a-f-]{32}$/);
    expect(failed).toEqual({
      ...{ sequence: 3, version: "1.0", type: "attestation.recorded", event_type: "ATTESTATION" },
      ...{ timestamp: "1800000000", org: ORG, flow: { name: "web", html_url: page } },
      description: failed?.description,
      trail: { name: "t1", compliance_state: "NON-COMPLIANT", html_url: `${page}/trails/t1` },
      reasons: ["'web.unit' is non-compliant", "'review' is missing"],
      ...{ commit, run_url: "https://ci.example/run/1" },
      artifact: {
        name: "web:1.2",
        fingerprint: FP,
        html_url: expect.stringContaining(`${page}/artifacts/${FP}?artifact_id=`),
      },
      attestation: {
        ...{ attestation_id: id, name: "unit", type: "generic", is_compliant: false },
        html_url: `${page}/trails/t1?attestation_id=${id}`,
      },
    });
    expect(events[10]).toMatchObject({
      ...{ type: "approval.approved", reasons: [], run_url: "https://ci.example/run/7" },
      trail: { name: "t1", compliance_state: "COMPLIANT" },
      approval: { number: 2, state: "APPROVED" },
      commit: { sha: COMMIT, author: null, message: null },
    });
  });

  it("a trail created by evidence has started", async () => {
    const { artifact, attest } = pipeline(service);
    await flowRule();
    service.clock.time += 0.875;
    await attest("web", "t1", { git_commit_info: INFO });
    await artifact("web", "t2");
    await artifact("web", undefined, { fingerprint: "b".repeat(64) });
    const events = await service.events();
    expect(events[0]?.timestamp, "whole seconds").toBe("1800000000");
    expect(events.map(({ event_type, description }) => `${event_type} ${description}`)).toEqual([
      "STARTED_TRAIL Trail 't1' of flow 'web' began.",
      "ATTESTATION 'unit' of trail 't1' of flow 'web' was attested as compliant.",
      "STARTED_TRAIL Trail 't2' of flow 'web' began.",
      "ATTESTED_PROVENANCE Artifact 'web:1.2' was reported to trail 't2' of flow 'web'.",
      "ATTESTED_PROVENANCE Artifact 'web:1.2' was reported to flow 'web'.",
    ]);
  });

  it("a rule applies to its flows and triggers, and notifies each target", async () => {
    const { trail, attest, flow } = pipeline(service);
    await flow("web");
    await flow("api");
    await flowRule({ flows: ["web"], triggers: ["ON_ATTESTATION"], targets: [HOOK, SLACK, MAIL, HOOK] });
    await trail("web", "t1");
    await attest("api", "t1");
    expect(await service.events()).toEqual([]);
    await attest("web", "t1");
    expect(await service.deliveries()).toEqual([
      `ON_ATTESTATION ${HOOK.webhook} pending`,
      `ON_ATTESTATION ${SLACK.webhook} pending`,
      "ON_ATTESTATION ada@example.org pending",
      "ON_ATTESTATION bob@example.org pending",
    ]);
  });

  it("a rule still applies to a renamed flow, by its new name and by the previous one", async () => {
    const { attest, flow } = pipeline(service);
    const place = async () => (await service.events()).map((each) => "flow" in each && each.flow.name);
    await flow("api");
    await flow("web");
    await flowRule({ flows: ["api", "web"], triggers: ["ON_ATTESTATION"] });
    await put(`/flows/${ORG}/web/rename`, { new_name: "shop" });
    await attest("web", "t1");
    expect(await place()).toEqual(["shop"]);
    const { body: action } = await send(service, { path: `/actions/${ORG}/1` });
    expect(action.flows).toEqual(["api", "shop"]);
    const { body: log } = await send(service, { path: `/audit-log/${ORG}`, key: service.keys.admin });
    expect(log.data[0]).toMatchObject({
      act: "action.changed",
      changes: { flows: { from: ["api", "web"], to: ["api", "shop"] } },
    });
    // As a workflow with the old name does.
    await flowRule({ flows: ["web", "shop"], triggers: ["ON_ATTESTATION"] });
    await attest("shop", "t1", { attestation_name: "later" });
    expect(await place()).toEqual(["shop", "shop"]);
    await flow("web");
    await attest("web", "t1");
    expect(await place(), "another flow has its name now").toHaveLength(2);
  });

  it("a new rule reports no earlier events, and a repeated request no event", async () => {
    const { attest } = pipeline(service);
    await attest("web", "t1");
    await flowRule();
    const form = { attestation_name: "unit", is_compliant: false };
    const path = `/attestations/${ORG}/web/trail/t1/generic`;
    const headers = { "idempotency-key": "k" };
    for (let i = 0; i < 3; i++) await send(service, { method: "POST", path, form, headers });
    expect(await triggers()).toEqual(["ATTESTATION", "NON_COMPLIANT_TRAIL"]);
  });

  it("sequence numbers increase by one, also with concurrent writes", async () => {
    const { attest } = pipeline(service);
    await flowRule({ triggers: ["ON_ATTESTATION"] });
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => attest("web", `t${i % 7}`, { description: `${i}` })),
    );
    const events = await service.events();
    expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    expect(
      await service.ask("select last_event_number as last from organizations where name = 'acme'"),
    ).toEqual([{ last: expect.toBeOneOf([40, "40"]) }]);
  });
});

describe("in environments", () => {
  const pod = (name: string, digest: string, replicas = 1) =>
    Array.from({ length: replicas }, (_, i) => ({
      ...{ podName: `${name}-${i}`, namespace: "n", creationTimestamp: 1 },
      digests: { [name]: digest },
    }));
  const OTHER = "b".repeat(64);
  const reported = async () =>
    (await service.events()).map(({ event_type, description }) => `${event_type} ${description}`);
  const POLICY =
    "_schema: https://schemas.example/policy/environment/v1\nartifacts: { provenance: { required: true } }";

  it("starting, scaling and stopping are reported with the origin", async () => {
    const { artifact, environment, report } = pipeline(service);
    await environment("prod");
    await artifact("web", "t1", { git_commit_info: INFO });
    await environmentRule();
    await report("prod", pod("web", FP));
    await report("prod", pod("web", FP));
    await report("prod", [...pod("web", FP, 3), ...pod("side", "d".repeat(64))]);
    await report("prod", pod("side", "d".repeat(64)));
    expect((await reported()).filter((each) => !each.includes("'side'"))).toEqual([
      "STARTED_ARTIFACT Artifact 'web' started to run in environment 'prod'.",
      "SCALED_ARTIFACT Artifact 'web' runs with 3 instances instead of 1 in environment 'prod'.",
      "EXITED_ARTIFACT Artifact 'web' no longer runs in environment 'prod'.",
    ]);
    const [started] = await service.events();
    const at = service.address;
    expect(started).toEqual({
      ...{ sequence: 1, version: "1.0", type: "artifact.started", event_type: "STARTED_ARTIFACT" },
      ...{ timestamp: "1800000000", org: ORG, environment: "prod", reasons: [] },
      html_url: `${at}/${ORG}/environments/prod`,
      description: "Artifact 'web' started to run in environment 'prod'.",
      snapshot: {
        ...{ index: "1", status: "unknown", html_url: `${at}/${ORG}/environments/prod/snapshots/1` },
        api_url: `${at}/api/v2/snapshots/${ORG}/prod/1`,
      },
      artifact: {
        ...{ name: "web", fingerprint: FP },
        provenance: {
          ...{ flow: "web", status: "compliant", commit: COMMIT, commit_url: "https://git.example/c/1" },
          html_url: expect.stringContaining(`${at}/${ORG}/flows/web/artifacts/${FP}?artifact_id=`),
          api_url: `${at}/api/v2/artifacts/${ORG}/web/fingerprint/${FP}`,
          build_url: "https://ci.example/run/7",
        },
      },
      commit: {
        ...{ sha: COMMIT, author: INFO.author, message: "Mend the gate" },
        html_url: "https://git.example/c/1",
      },
      run_url: "https://ci.example/run/7",
    });
  });

  it("an environment changes status by policies and allowances too, and logical ones change with it", async () => {
    const { environment, report, policy } = pipeline(service);
    await environment("prod");
    await environment("test");
    await environment("all", { type: "logical", included_environments: ["prod", "test"] });
    await policy("built", POLICY);
    await environmentRule({ triggers: ["ON_NON_COMPLIANT_ENV", "ON_COMPLIANT_ENV", "ON_ALLOWED_ARTIFACT"] });
    const admin = service.keys.admin;
    const attach = (name: string, method = "POST") =>
      send(service, {
        ...{ method, key: admin, path: `/environments/${ORG}/${name}/policies` },
        json: { policy_names: ["built"] },
      });
    const allow = (name: string, digest: string) =>
      send(service, {
        ...{ method: "PUT", key: admin, path: `/allowlists/${ORG}/${name}` },
        json: { artifact_name: "web", artifact_fingerprint: digest, description: "known" },
      });
    await report("prod", pod("web", FP));
    expect(await reported()).toEqual([]);
    expect((await attach("prod")).status).toBe(200);
    await report("test", pod("api", OTHER));
    await attach("test");
    await report("prod", [...pod("web", FP), ...pod("api", OTHER)]);
    expect((await allow("test", OTHER)).status).toBe(201);
    await allow("test", OTHER);
    await report("prod", []);
    expect(await reported()).toEqual([
      "NON_COMPLIANT_ENV Environment 'prod' became non-compliant, with snapshot 2.",
      "NON_COMPLIANT_ENV Logical environment 'all' became non-compliant, with snapshot 2 of 'prod'.",
      "NON_COMPLIANT_ENV Environment 'test' became non-compliant, with snapshot 2.",
      "COMPLIANT_ENV Environment 'test' became compliant, with snapshot 3.",
      "ALLOWED_ARTIFACT Artifact 'web' was allowed to run in environment 'test'.",
      "COMPLIANT_ENV Environment 'prod' became compliant, with snapshot 4.",
      "COMPLIANT_ENV Logical environment 'all' became compliant, with snapshot 4 of 'prod'.",
    ]);
    const [turned, logical] = await service.events();
    const reasons = ["'web': policy 'built': the artifact has no provenance: no flow has reported it"];
    expect(turned).toMatchObject({
      ...{ environment: "prod", reasons, artifact: { name: "web", fingerprint: FP } },
      snapshot: { index: "2", status: "non-compliant" },
    });
    expect(logical).toMatchObject({ environment: "all", reasons });
    expect(logical).not.toHaveProperty("snapshot");
  });

  it("a logical environment changes status because a member joins or leaves", async () => {
    const { environment, report, policy } = pipeline(service);
    const admin = service.keys.admin;
    await policy("built", POLICY);
    for (const name of ["good", "bad"]) {
      await environment(name);
      await report(name, name === "bad" ? pod("web", FP) : []);
      const path = `/environments/${ORG}/${name}/policies`;
      await send(service, { method: "POST", key: admin, path, json: { policy_names: ["built"] } });
    }
    await environment("all", { type: "logical", included_environments: ["good"] });
    await environmentRule({ triggers: ["ON_NON_COMPLIANT_ENV", "ON_COMPLIANT_ENV"] });
    const path = `/environments/${ORG}/all`;
    const join = (physical_env_name: string) =>
      send(service, { method: "PUT", key: admin, path: `${path}/join`, json: { physical_env_name } });
    const include = (included_environments: string[]) =>
      send(service, { method: "PATCH", key: admin, path, json: { included_environments } });
    expect((await join("bad")).status).toBe(200);
    await join("bad");
    expect((await include(["good"])).status).toBe(200);
    await include(["good", "bad"]);
    await environment("new", { type: "logical", included_environments: ["bad"] });
    const became = (name: string, word: string, why: string) =>
      `Logical environment '${name}' became ${word} because ${why}.`;
    expect(await reported()).toEqual([
      `NON_COMPLIANT_ENV ${became("all", "non-compliant", "'bad' joined it")}`,
      `COMPLIANT_ENV ${became("all", "compliant", "its members changed")}`,
      `NON_COMPLIANT_ENV ${became("all", "non-compliant", "'bad' joined it")}`,
      `NON_COMPLIANT_ENV ${became("new", "non-compliant", "'bad' joined it")}`,
    ]);
    const [first] = await service.events();
    expect(first).toMatchObject({
      environment: "all",
      reasons: ["'web': policy 'built': the artifact has no provenance: no flow has reported it"],
    });
  });

  it("a rule still applies to a renamed environment", async () => {
    const { environment, report } = pipeline(service);
    await environment("prod");
    await environmentRule({ environments: ["prod"], triggers: ["ON_STARTED_ARTIFACT"] });
    await environmentRule({ name: "all" });
    await put(`/environments/${ORG}/prod/rename`, { new_name: "live" });
    await report("live", pod("web", FP));
    expect(await service.events()).toMatchObject([{ environment: "live" }]);
    expect(await service.deliveries()).toHaveLength(2);
    const { body: actions } = await send(service, { path: `/actions/${ORG}` });
    expect(actions).toMatchObject([{ environments: ["live"] }, { environments: [] }]);
  });

  it("a first snapshot is reported only if non-compliant, with the most important reasons first", async () => {
    const { environment, report, policy } = pipeline(service);
    await policy("built", POLICY);
    await environment("good", { policies: ["built"] });
    await environment("bad", { policies: ["built"] });
    await environmentRule({ triggers: ["ON_NON_COMPLIANT_ENV", "ON_COMPLIANT_ENV"] });
    await report("good", []);
    await report("bad", [...pod("web", FP), ...pod("api", OTHER)]);
    const [first, ...others] = await service.events();
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      ...{ environment: "bad", event_type: "NON_COMPLIANT_ENV" },
      reasons: ["'web' and 1 more: policy 'built': the artifact has no provenance: no flow has reported it"],
    });
    expect(first).not.toHaveProperty("artifact");
  });

  it("webhook addresses are stored sealed", async () => {
    await environmentRule({ targets: [HOOK, SLACK, MAIL] });
    const rows = [
      await service.ask("select * from notification_targets"),
      await service.ask("select * from actions"),
      await service.ask("select * from audit_log"),
    ];
    const stored = JSON.stringify(rows);
    for (const hidden of [HOOK.webhook, SLACK.webhook])
      expect(stored).not.toContain(new URL(hidden).pathname);
    expect(stored.match(/"address":"v1:/g)).toHaveLength(2);
  });

  it("programs are notified of each of 5,000 artifacts that start at once, people once", async () => {
    const { environment, report } = pipeline(service);
    await environment("prod");
    await environmentRule({ targets: [HOOK, SLACK, MAIL] });
    const pods = Array.from({ length: 5_000 }, (_, i) => pod(`web-${i}`, `${i}`.padStart(64, "0"))).flat();
    expect((await report("prod", pods)).status).toBe(201);
    const counts = await service.ask(`select target.shown, count(*) as deliveries
      from notification_deliveries delivery join notification_targets target on target.id = delivery.target_id
      group by target.shown order by target.shown`);
    expect(counts.map(({ shown, deliveries }) => [shown, Number(deliveries)])).toEqual([
      ["ada@example.org", 1],
      ["bob@example.org", 1],
      ["hooks.slack.com/…/B/x", 1],
      ["receiver.example/…", 5_000],
    ]);
    const events = await service.events();
    expect(events.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 5_001 }, (_, i) => i + 1));
    const last = events.at(-1);
    expect(last).toMatchObject({
      description: "5000 artifacts started to run in environment 'prod'.",
      artifacts: { count: 5_000 },
    });
    expect(last && "artifacts" in last && last.artifacts?.first.length).toBe(20);
    expect(last).not.toHaveProperty("artifact");
  });
});
