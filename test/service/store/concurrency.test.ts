import { afterAll, beforeAll, expect, it } from "vitest";
import { EvidenceClient } from "../../../src/api/client/client.ts";
import { openDataFolder } from "../../../src/service/store/sqlite/open-store.ts";
import type { Database, Tables } from "../../../src/service/store/tables.ts";
import { COMMIT, FP, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort();

async function stored<T>(ask: (db: Database) => Promise<T>): Promise<T> {
  const store = await openDataFolder(service.dataFolder);
  return ask(store.read).finally(() => store.close());
}

const countOf = (table: keyof Tables) =>
  stored(async (db) => {
    const count = db.selectFrom(table).select(({ fn }) => fn.countAll<number>().as("count"));
    return Number((await count.execute())[0]?.count);
  });

it("fifty concurrent requests to create the same flow create one", async () => {
  const answers = await times(50, () => pipeline(service).flow("same", "version: 1"));
  expect(statuses(answers)).toEqual([...Array(49).fill(200), 201]);
  expect(await countOf("flows")).toBe(1);
});

it("fifty concurrent requests to start the same trail create one", async () => {
  const answers = await times(50, () => pipeline(service).trail("same", "t1"));
  expect(statuses(answers)).toEqual([...Array(49).fill(200), 201]);
  expect(await countOf("trails")).toBe(1);
});

it("fifty concurrent requests to create the same environment and rule create one of each", async () => {
  const { environment, action } = pipeline(service);
  const target = { type: "EMAIL", emails: ["a@example.org"] };
  const [environments, actions] = await Promise.all([
    times(50, () => environment("prod")),
    times(50, () => action({ name: "tell", targets: [target] })),
  ]);
  // An update of an environment has the same response as its creation.
  expect(statuses(environments)).toEqual(Array(50).fill(201));
  expect(await countOf("environments")).toBe(1);
  expect(statuses(actions)).toEqual([...Array(49).fill(200), 201]);
});

it("attestations of a new flow, its artifact and its repository are complete in any order of arrival", async () => {
  const { artifact, attest, assert } = pipeline(service);
  const repo_info = { name: "o/r", url: "https://github.com/o/r", id: "7" };
  const reference = { target_artifacts: ["web"], git_commit_info: { sha1: COMMIT }, repo_info };
  const answers = await times(40, (i) =>
    i === 20
      ? artifact("race", "t1", { repo_info })
      : attest("race", "t1", { ...reference, attestation_name: `check-${i}`, is_compliant: i !== 7 }),
  );
  expect(statuses(answers)).toEqual(Array(40).fill(201));
  expect(await countOf("repos")).toBe(1);
  const { body } = await assert(FP, "?flow_name=race");
  expect(body.compliance_status.attestations_statuses).toHaveLength(39);
  expect(body.compliance_status.status).toBe("NON-COMPLIANT");
});

it("fifty concurrent uploads of the same policy create one, with one version", async () => {
  const client = new EvidenceClient({ apiKey: service.keys.member, org: ORG, baseUrl: service.address });
  const content = new Blob([
    "_schema: https://kosli.com/schemas/policy/environment/v1\nartifacts:\n  provenance:\n    required: true\n",
  ]);
  const answers = await times(50, () =>
    client.putPolicy({ body: { name: "same" }, files: { policyFile: { name: "p.yml", content } } }),
  );
  await client.close();
  expect(statuses(answers)).toEqual([...Array(49).fill(200), 201]);
  expect([await countOf("policies"), await countOf("policy_versions")]).toEqual([1, 1]);
});

it("fifty concurrent first reports of the same repository create one, with any fields", async () => {
  const before = await countOf("repos");
  const repo_info = { name: "o/same", url: "https://github.com/o/same", id: "77" };
  const { trail, artifact, attest } = pipeline(service);
  const answers = await times(50, (i) => {
    const kinds = [
      () => trail("same", `trail-${i}`, { repo_info }),
      () => artifact("same", `trail-${i}`, { repo_info }),
      () => attest("same", `trail-${i}`, { repo_info }),
    ] as const;
    return (kinds[i % kinds.length] ?? kinds[0])();
  });
  expect(statuses(answers)).toEqual(Array(50).fill(201));
  expect((await countOf("repos")) - before).toBe(1);
});

it("thirty concurrent attestations of a trail are all counted: the failing one decides", async () => {
  const { flow, artifact, attest, assert } = pipeline(service);
  const slots = Array.from({ length: 30 }, (_, i) => `    - { name: check-${i}, type: generic }`);
  const template = `version: 1\ntrail:\n  artifacts:\n  - name: web\n    attestations:\n${slots.join("\n")}`;
  await flow("gated", template);
  const fingerprint = "e".repeat(64);
  const verdict = async () => (await assert(fingerprint, "?flow_name=gated")).body.compliance_status.status;
  const attestAll = (trail: string, failing: number) =>
    times(30, (i) =>
      attest("gated", trail, {
        attestation_name: `check-${i}`,
        artifact_fingerprint: fingerprint,
        is_compliant: i !== failing,
      }),
    );
  await artifact("gated", "t1", { fingerprint });
  expect(statuses(await attestAll("t1", -1))).toEqual(Array(30).fill(201));
  expect(await verdict()).toBe("COMPLIANT");
  await artifact("gated", "t2", { fingerprint });
  expect(statuses(await attestAll("t2", 17))).toEqual(Array(30).fill(201));
  expect(await verdict()).toBe("NON-COMPLIANT");
});

it("concurrent reports create snapshots numbered from 1, each with its report", async () => {
  const { environment, report } = pipeline(service);
  await environment("busy");
  const digest = (i: number) => i.toString(16).padStart(64, "0");
  const answers = await times(20, (i) =>
    report("busy", [
      { podName: `pod-${i}`, namespace: "n", digests: { web: digest(i) }, creationTimestamp: 1 },
    ]),
  );
  expect(statuses(answers)).toEqual(Array(20).fill(201));
  const rows = await stored((db) =>
    db
      .selectFrom("snapshots")
      .innerJoin("environments", "environments.id", "snapshots.environment_id")
      .innerJoin("running_intervals as running", (join) =>
        join
          .onRef("running.environment_id", "=", "environments.id")
          .onRef("running.since", "=", "snapshots.number"),
      )
      .select(["snapshots.number", "running.fingerprint"])
      .where("environments.name", "=", "busy")
      .orderBy("snapshots.number")
      .execute(),
  );
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  for (const [i, { body }] of answers.entries()) {
    const number = rows.find(({ fingerprint }) => fingerprint === digest(i))?.number;
    expect(body).toBe(`Report processed successfully, snapshot #${number} created`);
  }
});

it("two equal concurrent reports create one snapshot", async () => {
  const { environment, report } = pipeline(service);
  await environment("twice");
  const pod = { podName: "a", namespace: "n", digests: { web: FP }, creationTimestamp: 1 };
  expect(statuses(await times(2, () => report("twice", [pod])))).toEqual([200, 201]);
});

it("concurrent approvals are numbered from 1 without gaps", async () => {
  await pipeline(service).artifact("approved", "t1");
  const path = `/approvals/${ORG}/approved`;
  const json = { artifact_fingerprint: FP, description: "", src_commit_list: [COMMIT] };
  const answers = await times(30, (i) =>
    // Every third one is refused, and takes no number.
    send(service, { method: "POST", path, json: i % 3 === 0 ? { ...json, environment: "no" } : json }),
  );
  expect(statuses(answers)).toEqual([...Array(20).fill(201), ...Array(10).fill(404)]);
  const { body } = await send(service, { path: `${path}?per_page=100` });
  expect(body.map((each: { release_number: number }) => each.release_number)).toEqual(
    Array.from({ length: 20 }, (_, i) => 20 - i),
  );
});

it("fifty concurrent requests to create the same service account create one", async () => {
  const message = { method: "POST", path: `/service-accounts/${ORG}`, json: { name: "same" } };
  const answers = await times(50, () => send(service, message));
  expect(statuses(answers)).toEqual([201, ...Array(49).fill(400)]);
});

it("concurrent environment notification rules have different numbers", async () => {
  const path = `/organizations/${ORG}/environments_notifications`;
  const target = { type: "EMAIL", emails: ["a@example.org"] };
  const json = { targets: [target], environments: [], triggers: [] };
  await times(30, (i) => send(service, { method: "PUT", path, json: { ...json, name: `n-${i}` } }));
  const { body } = await send(service, { path });
  expect(new Set(body.map((each: { number: number }) => each.number)).size).toBe(30);
});

it("fifty concurrent requests to create the same control create one, and the others say so", async () => {
  const { control } = pipeline(service);
  const answers = await times(50, () => control({ identifier: "SDLC-1", name: "Code is reviewed" }));
  expect(statuses(answers)).toEqual([201, ...Array(49).fill(409)]);
  expect([await countOf("controls"), await countOf("control_versions")]).toEqual([1, 1]);
});

it("concurrent changes of a control are versions without gaps", async () => {
  const path = `/controls/${ORG}/SDLC-2`;
  const key = service.keys.admin;
  await pipeline(service).control({ identifier: "SDLC-2", name: "n" });
  const answers = await times(20, (i) =>
    send(service, { method: "PUT", path, json: { name: `name ${i}` }, key }),
  );
  expect(statuses(answers)).toEqual(Array(20).fill(200));
  const { body } = await send(service, { path: `${path}/versions` });
  expect(body.map((each: { version: number }) => each.version)).toEqual(
    Array.from({ length: 21 }, (_, i) => 21 - i),
  );
});

it("an API key that many revoke at once is revoked by one of them", async () => {
  const keys = `/service-accounts/${ORG}/reader/api-keys`;
  const admin = { key: service.keys.admin };
  const { body } = await send(service, { method: "POST", path: keys, json: { description: "d" }, ...admin });
  const answers = await times(20, () =>
    send(service, { method: "DELETE", path: `${keys}/${body.id}`, ...admin }),
  );
  expect(statuses(answers)).toEqual([200, ...Array(19).fill(404)]);
});

it("tags that are set at the same time are all stored", async () => {
  await pipeline(service).flow("tagged");
  const path = `/tags/${ORG}/flow/tagged`;
  const answers = await times(30, (i) =>
    send(service, { method: "PATCH", path, json: { set_tags: { [`tag-${i}`]: "x", same: `${i}` } } }),
  );
  expect(statuses(answers)).toEqual(Array(30).fill(200));
  const { body } = await send(service, { path: `/flows/${ORG}/tagged` });
  expect(Object.keys(body.tags)).toHaveLength(31);
});

it("one of many flows that take the same name at once gets it", async () => {
  await times(10, (i) => pipeline(service).flow(`was-${i}`));
  const answers = await times(10, (i) =>
    send(service, { method: "PUT", path: `/flows/${ORG}/was-${i}/rename`, json: { new_name: "is" } }),
  );
  expect(statuses(answers)).toEqual([200, ...Array(9).fill(400)]);
});

it("fifty concurrent requests to create the same notification rule create one", async () => {
  const path = `/organizations/${ORG}/environments_notifications`;
  const target = { type: "EMAIL", emails: ["a@example.org"] };
  const json = { name: "same", targets: [target], environments: [], triggers: [] };
  const answers = await times(50, () => send(service, { method: "PUT", path, json }));
  expect(statuses(answers)).toEqual([...Array(49).fill(200), 201]);
});
