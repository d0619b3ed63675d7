import { afterAll, beforeEach, expect, it } from "vitest";
import { reportQuietTrails } from "../../../../src/service/delivery/rules/quiet-trails.ts";
import { makeLinks } from "../../../../src/service/kernel/links.ts";
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
const RESULTS = ["ON_COMPLIANT_TRAIL", "ON_NON_COMPLIANT_TRAIL", "ON_INCOMPLETE_TRAIL"];
const TEMPLATE = `version: 1
trail:
  attestations: [{ name: review, type: "*" }, { name: unit, type: "*" }]`;

const rule = (more: object = {}) =>
  send(service, {
    ...{ method: "PUT", path: `/actions/${ORG}/flows` },
    json: { name: "results", targets: [HOOK], triggers: RESULTS, ...more },
  });
const reported = async () =>
  (await service.events()).map(({ event_type, description }) => [event_type, description]);

/** Two instances look for quiet trails at the same time. */
async function lookForQuiet() {
  const stores = [await service.openStore(), await service.openStore()];
  const parts = {
    links: makeLinks(() => service.address),
    deliveries: { wake() {}, attempt: async () => {} },
  };
  try {
    await Promise.all(
      stores.map((store) =>
        reportQuietTrails({ ...parts, store, now: () => service.clock.time }).run(
          new AbortController().signal,
        ),
      ),
    );
  } finally {
    for (const store of stores) await store.close();
  }
}

it("each change of a trail's result is reported once, and never that its run is under way", async () => {
  const { flow, trail, attest } = pipeline(service);
  const { override } = attestations(service);
  await flow("web", TEMPLATE);
  await rule();
  await trail("web", "t1");
  await attest("web", "t1", { attestation_name: "review" });
  expect(await reported()).toEqual([]);
  await attest("web", "t1", { is_compliant: false });
  await attest("web", "t1", { is_compliant: false, description: "again" });
  await override("web", { attestation_name: "unit" });
  await attest("web", "t1", { attestation_name: "lint" });
  expect(await reported()).toEqual([
    ["NON_COMPLIANT_TRAIL", "Trail 't1' of flow 'web' became non-compliant."],
    ["COMPLIANT_TRAIL", "Trail 't1' of flow 'web' became compliant."],
  ]);
});

it("an incomplete trail is reported once after ten quiet minutes, by one of two instances", async () => {
  const { flow, trail, attest } = pipeline(service);
  await flow("web", TEMPLATE);
  await rule();
  await trail("web", "t1");
  service.clock.time += 599;
  await attest("web", "t1");
  service.clock.time += 599;
  await lookForQuiet();
  expect(await reported(), "the run is under way").toEqual([]);
  service.clock.time += 1;
  await lookForQuiet();
  const incomplete = [
    "INCOMPLETE_TRAIL",
    "Trail 't1' of flow 'web' is incomplete, with no event for 10 minutes.",
  ];
  expect(await reported()).toEqual([incomplete]);
  await attest("web", "t1", { description: "again" });
  service.clock.time += 700;
  await lookForQuiet();
  expect(await reported(), "it is still the same result").toEqual([incomplete]);
  await attest("web", "t1", { attestation_name: "review" });
  expect((await reported()).at(-1)).toEqual([
    "COMPLIANT_TRAIL",
    "Trail 't1' of flow 'web' became compliant.",
  ]);
});

it("a trail that was completed in time, or began before the rule, is not reported as incomplete", async () => {
  const { flow, trail, attest } = pipeline(service);
  await flow("web", TEMPLATE);
  await trail("web", "early");
  await rule();
  await trail("web", "t1");
  await attest("web", "t1");
  await attest("web", "t1", { attestation_name: "review" });
  service.clock.time += 700;
  await lookForQuiet();
  expect(await reported()).toEqual([["COMPLIANT_TRAIL", "Trail 't1' of flow 'web' became compliant."]]);
});

it("a refused gate is reported with its reasons, and a repeated check only after an hour", async () => {
  const { flow, trail, artifact, assert } = pipeline(service);
  await flow(
    "web",
    `version: 1
trail:
  artifacts: [{ name: web, attestations: [{ name: unit, type: "*" }] }]`,
  );
  await trail("web", "t1");
  await artifact("web", "t1");
  await assert();
  await rule({ triggers: ["ON_REFUSED_GATE"] });
  for (let i = 0; i < 3; i++) expect((await assert()).body.compliant).toBe(false);
  const [event, ...others] = await service.events();
  expect(others).toEqual([]);
  expect(event).toMatchObject({
    ...{ type: "gate.refused", event_type: "REFUSED_GATE", timestamp: "1800000000" },
    description: "The gate refused artifact 'web:1.2' of flow 'web'.",
    reasons: ["attestation 'unit' is missing in flow 'web', trail 't1'"],
    gate: { environment: null, policies: [] },
    artifact: { name: "web:1.2", fingerprint: FP },
    trail: { name: "t1", compliance_state: "INCOMPLETE" },
  });
  service.clock.time += 3_600;
  await assert();
  expect(await service.events()).toHaveLength(2);
});

it("a requested approval is reported, and an approved one is not needed", async () => {
  const { artifact } = pipeline(service);
  await artifact("web", "t1");
  await rule({ triggers: ["ON_APPROVAL_NEEDED"] });
  const approve = (approvals: object[]) =>
    send(service, {
      ...{ method: "POST", path: `/approvals/${ORG}/web` },
      json: { artifact_fingerprint: FP, description: "go", src_commit_list: [COMMIT], approvals },
    });
  await approve([]);
  await approve([{ state: "APPROVED", comment: "", approved_by: "ada", approval_url: "undefined" }]);
  expect(await reported()).toEqual([
    ["APPROVAL_NEEDED", "Artifact 'web:1.2' of flow 'web' needs approval 1."],
  ]);
});

it("a muted rule records its deliveries, and sends them again from its end", async () => {
  const { attest } = pipeline(service);
  const triggers = ["ON_ATTESTATION"];
  const until = service.clock.time + 60;
  await rule({ triggers, muted_until: until });
  await attest("web", "t1");
  await rule({ triggers });
  await attest("web", "t1", { attestation_name: "lint" });
  const { body } = await send(service, { path: `/actions/${ORG}/1` });
  expect(body.muted_until, "a rule saved without the field stays muted").toBe(until);
  service.clock.time = until;
  await attest("web", "t1", { attestation_name: "sbom" });
  await rule({ triggers, muted_until: service.clock.time + 60 });
  await rule({ triggers, muted_until: null });
  await attest("web", "t1", { attestation_name: "scan" });
  expect((await service.deliveries()).map((each) => each.split(" ")[2])).toEqual([
    ...["muted", "muted"],
    expect.not.stringMatching("muted"),
    expect.not.stringMatching("muted"),
  ]);
  const muted = await send(service, { path: `/actions/${ORG}/1/deliveries?state=muted` });
  expect(muted.body.data).toMatchObject([{ state: "muted", due_at: null }, { state: "muted" }]);
});
