import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { readSealingKey, seal } from "../../../src/service/delivery/outgoing/sealed.ts";
import { putFlowAction as handlePutFlowAction } from "../../../src/service/delivery/rules/handlers.ts";
import { showSecrets } from "../../../src/service/delivery/rules/signing-handlers.ts";
import { DEFAULT_LIMITS } from "../../../src/service/http/limits.ts";
import { makeBackup } from "../../../src/service/ops/backup/copies.ts";
import { compose, openSecretBox } from "../../../src/service/ops/compose.ts";
import { createOrganization } from "../../../src/service/people/accounts/organizations.ts";
import { type ServiceOptions, startService } from "../../../src/service/service.ts";
import { databaseFile } from "../../../src/service/store/sqlite/open-store.ts";
import { UNOBSERVED } from "../../../src/service/store/store.ts";
import { expectRefusal, pipeline, send } from "../requests.ts";
import { ORG, OTHER_ORG, startTestService, type TestService } from "../running-service.ts";
import { startReceiver } from "./attempts/receiver.ts";

let service: TestService;
beforeEach(async () => {
  await service?.dispose();
  service = await startTestService();
});
afterAll(() => service.dispose());

const ACTION = `/actions/${ORG}/1`;
/** Nothing is sent to it: loopback is refused. */
const HOOK = "https://127.0.0.1:65535/the-secret-part-a1b2";
const DISPATCHES = "https://127.0.0.1:65535/api/v3/repos/acme/web/dispatches";
const TOKEN = "ghp_0123456789abcdef";

const post = (path: string, json: object = {}, key = service.keys.member) =>
  send(service, { method: "POST", path, json, key });
const get = (path: string, key = service.keys.member) => send(service, { path, key });

async function putFlowAction(targets: object[], more: object = {}): Promise<void> {
  await pipeline(service).flow("quiet");
  await pipeline(service).flow("web");
  const json = { name: "told", flows: ["quiet"], targets, ...more };
  await send(service, { method: "PUT", path: `/actions/${ORG}/flows`, json, key: service.keys.member });
}

/** Executes SQL outside the service, like a worker or the passing of time. */
function inRecords(sql: string): Record<string, unknown>[] {
  const database = new DatabaseSync(databaseFile(service.dataFolder));
  try {
    return database.prepare(sql).all();
  } finally {
    database.close();
  }
}

/** The files of a folder that contain one of these texts. */
async function filesWith(folder: string, texts: readonly string[]): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((each) => each.isFile());
  const holding = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const bytes = await readFile(join(parentPath, name));
      return texts.some((text) => bytes.includes(text)) ? [name] : [];
    }),
  );
  return holding.flat();
}

const hook = (webhook: string) => ({ type: "WEBHOOK", webhook });

describe("a delivery", () => {
  it("shows addresses and content to those who may change them, and responses to admins only", async () => {
    await putFlowAction([hook(HOOK)]);
    const { body: tested } = await post(`${ACTION}/test`);
    const id = tested.results[0].delivery_id;
    inRecords(`insert into notification_attempts
      select '${id}', 90, 7, 250, 'status_503', 503, '{"webhook-id":"e"}', 'the answer of the target', 1`);
    const seenBy = async (key: string) => {
      const { body: delivery } = await get(`${ACTION}/deliveries/${id}`, key);
      const { body: list } = await get(`${ACTION}/deliveries`, key);
      const { body: targets } = await get(`${ACTION}/targets`, key);
      return { delivery, list, targets, text: JSON.stringify([delivery, list, targets]) };
    };
    const admin = await seenBy(service.keys.admin);
    expect(admin.delivery.log.at(-1)).toEqual({
      ...{ number: 90, started_at: 7, duration: 0.25, outcome: "status_503", status: 503, manual: true },
      ...{ request_headers: { "webhook-id": "e" }, answer: "the answer of the target" },
    });
    const member = await seenBy(service.keys.member);
    expect(member.delivery.log.at(-1)).toMatchObject({
      answer: null,
      request_headers: { "webhook-id": "e" },
    });
    expect(JSON.parse(member.delivery.body)).toMatchObject({ type: "trail.started" });
    for (const role of ["reader", "snapshotter"] as const) {
      const seen = await seenBy(service.keys[role]);
      expect(seen.delivery).toMatchObject({
        state: "failed",
        body: null,
        target: { number: 1, address: null },
      });
      expect(seen.delivery.log.at(-1)).toMatchObject({ status: 503, answer: null, request_headers: null });
      expect(seen.text).not.toContain("127.0.0.1:65535");
      expect(seen.list.data).toHaveLength(1);
    }
    for (const { text } of [admin, member]) expect(text).not.toContain("the-secret-part");
  });

  it("belongs to its organization only", async () => {
    await putFlowAction([hook(HOOK)]);
    const { body: tested } = await post(`${ACTION}/test`);
    const path = `/deliveries/${tested.results[0].delivery_id}`;
    expect((await get(`${ACTION}${path}`, service.keys.stranger)).status).toBe(403);
    const json = { name: "theirs", targets: [hook(HOOK)] };
    const key = service.keys.stranger;
    await send(service, { method: "PUT", path: `/actions/${OTHER_ORG}/flows`, json, key });
    const foreign = `/actions/${OTHER_ORG}/1`;
    expectRefusal(await get(`${foreign}${path}`, key), 404, "Delivery not found");
    expectRefusal(await post(`${foreign}${path}/redeliver`, {}, key), 404, "Delivery not found");
    expect((await get(`${foreign}/deliveries`, key)).body.data).toEqual([]);
    const keys = [await post(`${foreign}/secret`, {}, key), await post(`${ACTION}/secret`)];
    expect(new Set(keys.map(({ body }) => body.public_key)).size).toBe(2);
  });
});

describe("a notification rule", () => {
  it("shows when its targets were last reached, and whether one of them fails", async () => {
    await putFlowAction([hook(HOOK), { type: "EMAIL", emails: ["a@example.org", "b@example.org"] }]);
    expect((await get(ACTION)).body).toMatchObject({ is_failing: null, last_success_timestamp: null });
    inRecords("update notification_targets set last_success_at = 5 + position");
    expect((await get(ACTION)).body).toMatchObject({
      ...{ is_failing: false, last_success_timestamp: 7, last_failure_timestamp: null },
      targets: [
        { last_success_at: 5, last_failure_at: null },
        { last_success_at: 7, last_failure_at: null },
      ],
    });
    inRecords("update notification_targets set last_failure_at = 9, failing_since = 8 where position = 1");
    const [listed] = (await get(`/actions/${ORG}`)).body;
    expect(listed).toMatchObject({ is_failing: true, last_failure_timestamp: 9 });
    expect(listed.targets[1]).toMatchObject({ last_success_at: 7, last_failure_at: 9 });
    expect((await get(`${ACTION}/targets`)).body).toMatchObject([
      { number: 1, state: "ok" },
      { number: 2, state: "failing", failing_since: 8 },
      { number: 3, state: "ok" },
    ]);
  });

  it("excludes a disabled target from recovery until it is enabled", async () => {
    await putFlowAction([hook(HOOK)], { flows: ["web"], triggers: ["ON_ATTESTATION"] });
    await pipeline(service).attest("web", "t1");
    inRecords("update notification_deliveries set state = 'failed', due_at = null, ended_at = 5");
    inRecords(
      "update notification_targets set ended_at = 5, ended_because = 'It answered 410', failures = 3",
    );
    expect((await get(`${ACTION}/targets`)).body).toMatchObject([
      { state: "ended", ended_because: "It answered 410" },
    ]);
    expect((await post(`${ACTION}/recover`, { since: 0 })).body).toEqual({ recovered: 0, more: false });
    expect((await post(`${ACTION}/enable`)).body).toEqual({ enabled: 1 });
    expect((await post(`${ACTION}/recover`, { since: 0 })).body).toEqual({ recovered: 1, more: false });
    expect((await get(`${ACTION}/targets`)).body).toMatchObject([{ ended_at: null, ended_because: null }]);
    inRecords("update notification_deliveries set state = 'pending', due_at = 9000000000");
    expect((await get(`${ACTION}/targets`)).body).toMatchObject([{ waiting: 1, due_at: 9_000_000_000 }]);
  });
});

describe("secrets", () => {
  it("appear only in the response that shows them: records store them encrypted, with a key in a separate file", async () => {
    await putFlowAction([hook(HOOK), hook(DISPATCHES)]);
    const { secret } = (await post(`${ACTION}/secret`)).body.secrets[0];
    const [rotated] = (await post(`${ACTION}/secret/rotate`)).body.secrets;
    const json = { token: TOKEN };
    const token = await send(service, {
      method: "PUT",
      path: `${ACTION}/token`,
      json,
      key: service.keys.member,
    });
    expect(token).toMatchObject({ status: 200, body: "The token is sent to 127.0.0.1:65535 only" });
    const key = await readFile(join(service.dataFolder, "secret.key"), "utf8");
    expect(key).toMatch(/^[A-Za-z0-9+/]{43}=\n$/);
    expect((await stat(join(service.dataFolder, "secret.key"))).mode & 0o777).toBe(0o600);
    const seen = [
      inRecords("select * from notification_targets"),
      inRecords("select * from organizations"),
      inRecords("select * from audit_log"),
      service.logged,
      (await get(ACTION, service.keys.reader)).body,
      (await get(`${ACTION}/targets`, service.keys.admin)).body,
      (await get(`/audit-log/${ORG}`, service.keys.admin)).body,
    ];
    for (const hidden of [secret, rotated.secret, TOKEN, key.trim(), "whsk_", "acme/web/dispatches"]) {
      expect(JSON.stringify(seen)).not.toContain(hidden);
    }
    const [target] = inRecords("select * from notification_targets where position = 0");
    expect(target).toMatchObject({
      secret: expect.stringMatching(/^v1:/),
      former_secret_until: 1_800_086_400,
    });
  });

  it("can be rotated again without force once the grace period is over", async () => {
    await putFlowAction([hook(HOOK)]);
    await post(`${ACTION}/secret`);
    expect((await post(`${ACTION}/secret/rotate`, { grace_period_hours: 2 })).status).toBe(201);
    service.clock.time += 2 * 3600 - 1;
    expect((await post(`${ACTION}/secret/rotate`)).status).toBe(409);
    service.clock.time += 1;
    expect((await post(`${ACTION}/secret/rotate`)).status).toBe(201);
  });

  it("that are encrypted with another key are reported, and rotated together with the organization's key", async () => {
    await putFlowAction([hook(HOOK)]);
    // As in a backup that is served without the key of the original.
    const former = readSealingKey("0".repeat(64), "the key of the original");
    const [owners] = inRecords(
      `select org.id as org, target.id as target from organizations as org, notification_targets as target
       where org.name = '${ORG}'`,
    );
    const [org, target] = [String(owners?.["org"]), String(owners?.["target"])];
    inRecords(`update organizations set signing_key = '${seal("whsk_", org, former)}' where id = '${org}'`);
    inRecords(`update notification_targets set secret = '${seal("whsec_", target, former)}'`);
    // It was rotated recently, too: the previous one no longer signs either.
    inRecords("update notification_targets set former_secret = secret, former_secret_until = 9000000000");
    expect((await post(`${ACTION}/secret`)).body.message).toBe(
      "A secret was encrypted with another key than the service has now: start it with the former key, or save the rules again and rotate the secrets",
    );
    const { body: rotated } = await post(`${ACTION}/secret/rotate`);
    expect(rotated).toMatchObject({ secrets: [{ grace_period_expires_at: null }] });
    const { public_key } = rotated;
    expect((await post(`${ACTION}/secret`)).body).toEqual({ secrets: [], public_key });
  });

  it("that are encrypted with another key are reported in the log when a service starts", async () => {
    await putFlowAction([hook(HOOK), hook(DISPATCHES)]);
    const json = { token: TOKEN };
    await send(service, { method: "PUT", path: `${ACTION}/token`, json, key: service.keys.admin });
    await service.close();
    const { dataFolder } = service;
    const start = async (given: Pick<ServiceOptions, "secretKey">) => {
      const logged: string[] = [];
      const next = await startService({
        ...{ dataFolder, ...given, host: "127.0.0.1", port: 0, org: ORG, version: "1.2.3" },
        log: (entry) => "message" in entry && logged.push(`${entry.level}: ${entry.message}`),
      });
      await next.close();
      return logged;
    };
    expect(await start({})).toEqual([]);
    const secretKey = readSealingKey("1".repeat(64), "another key");
    expect(await start({ secretKey })).toEqual([
      "warn: Stored notification secrets cannot be decrypted. Deliveries to encrypted addresses fail, others are not " +
        "signed. A secret was encrypted with another key than the service has now: start it with the former key, or save " +
        "the rules again and rotate the secrets",
    ]);
  });

  it("and addresses are in no byte of the records or of a backup, nor are those stored without a key", async () => {
    const slack = "https://hooks.slack.com/services/T0/B0/stored-without-a-key";
    const hidden = ["the-secret-part", "/api/v3/repos/acme", "services/T0/B0"];
    await putFlowAction([hook(HOOK), hook(DISPATCHES)]);
    await putFlowAction([{ type: "SLACK", webhook: slack }], { name: "old" });
    const [before] = inRecords("select id from notification_targets where kind = 'slack'");
    await service.close();
    const { dataFolder } = service;
    // As a service without a key leaves them.
    const key = createHash("sha256").update(`slack ${slack}`).digest("hex");
    inRecords(
      `update notification_targets set address = '${slack}', address_key = '${key}' where kind = 'slack'`,
    );
    inRecords(`update actions set targets = '[{"type":"SLACK","webhook":"${key}"}]' where name = 'old'`);
    expect(await filesWith(dataFolder, hidden)).toEqual(["evidence.sqlite"]);
    const options = { dataFolder, host: "127.0.0.1", port: 0, org: ORG, version: "1", log: () => {} };
    const newer = await startService(options);
    const auth = { authorization: `Bearer ${service.keys.member}`, "content-type": "application/json" };
    const actions = `${newer.address}/api/v2/actions/${ORG}`;
    const json = { name: "old", flows: ["none"], triggers: [], targets: [{ type: "SLACK", webhook: slack }] };
    await fetch(`${actions}/flows`, { method: "PUT", headers: auth, body: JSON.stringify(json) });
    const shown = Object(await (await fetch(`${actions}/2`, { headers: auth })).json());
    expect(shown.targets).toMatchObject([{ type: "SLACK", webhook: slack }]);
    await newer.close();
    expect(inRecords("select id from notification_targets where kind = 'slack'")).toEqual([before]);
    const backup = await mkdtemp(join(tmpdir(), "evidence-sealed-backup-"));
    await makeBackup({ dataFolder }, join(backup, "copy"), { log: () => {}, onProgress: () => {} });
    for (const folder of [dataFolder, backup]) expect(await filesWith(folder, hidden)).toEqual([]);
    await rm(backup, { recursive: true });
  });

  it("of targets without one are created when they are shown, and when the rule is saved again", async () => {
    const secrets = () => inRecords("select secret from notification_targets order by position");
    await putFlowAction([hook(HOOK), hook(`${HOOK}2`)]);
    // As the migration leaves older targets.
    inRecords("update notification_targets set secret = null");
    inRecords("update organizations set signing_key = null");
    await putFlowAction([hook(HOOK), hook(`${HOOK}2`)]);
    const created = secrets();
    expect(created).toEqual(Array(2).fill({ secret: expect.stringMatching(/^v1:/) }));
    inRecords("update notification_targets set secret = null where position = 1");
    expect((await post(`${ACTION}/secret`)).body.secrets).toHaveLength(2);
    expect(secrets()).toEqual([created[0], { secret: expect.stringMatching(/^v1:/) }]);
  });

  it("of GitHub that are encrypted with another key must be set again", async () => {
    await putFlowAction([hook(DISPATCHES)]);
    const former = readSealingKey("0".repeat(64), "the key of the original");
    const [{ id } = {}] = inRecords("select id from notification_targets");
    inRecords(`update notification_targets set token = '${seal(TOKEN, String(id), former)}'`);
    const key = service.keys.admin;
    const { results } = (await post(`${ACTION}/test`, {}, key)).body;
    expect(results).toMatchObject([
      { outcome: "no_token", answer: expect.stringContaining("Set one with setTargetToken") },
    ]);
  });
});

it("a rule is saved without an encryption key, and its secret is created on request once there is a key", async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), "evidence-keyless-"));
  const composed = await compose(
    { dataFolder, issuers: [], limits: DEFAULT_LIMITS },
    {
      ...{ id: "instance", incoming: join(dataFolder, "incoming"), observer: UNOBSERVED, log() {} },
      ...{ address: () => "https://evidence.example", now: () => 1_000 },
    },
  );
  const context = { ...composed.context, deliveries: { wake() {}, attempt: async () => {} } };
  const org = { id: await context.store.write((db) => createOrganization(db, ORG, 1)), name: ORG };
  const sender = {
    org,
    caller: {
      keyId: "k",
      accountId: "a",
      accountName: "ada",
      orgId: org.id,
      role: "admin" as const,
      scope: null,
    },
    source: { address: null, requestId: null },
    files: undefined,
    identity: { apiKeyId: "k", idempotencyKey: undefined, hash: () => "" },
  };
  try {
    const target = { type: "WEBHOOK", payloadVersion: "1.0", webhook: "https://receiver.example/" } as const;
    const body = {
      ...{ type: "flow" as const, name: "unsigned", flows: [], triggers: [] },
      targets: [target],
    };
    const keyless = { ...context, secrets: openSecretBox({ database: {}, dataFolder: "/nowhere" }) };
    expect(await handlePutFlowAction({ ...sender, params: {}, body }, keyless)).toEqual({
      status: 201,
      body: "OK",
    });
    const show = { ...sender, params: { actionNumber: 1 }, body: undefined };
    await expect(showSecrets(show, keyless)).rejects.toThrow(
      "start it with --secret-key-file FILE or EVIDENCE_SECRET_KEY",
    );
    expect((await showSecrets(show, context)).body.secrets).toHaveLength(1);
  } finally {
    await composed[Symbol.asyncDispose]();
    await rm(dataFolder, { recursive: true });
  }
});

it("a test and a redelivery try deliveries at once, and return what the targets answered", async () => {
  await using receiver = await startReceiver();
  receiver.answer = ({ url }, answer) => answer.writeHead(url === "/up" ? 204 : 500).end("broken");
  await putFlowAction([hook(`${receiver.address}/up`), hook(`${receiver.address}/down`)]);
  const admin = service.keys.admin;
  const { results } = (await post(`${ACTION}/test`, {}, admin)).body;
  expect(results).toMatchObject([
    { target: { number: 1 }, delivered: true, outcome: "delivered", status: 204 },
    { target: { number: 2 }, delivered: false, outcome: "status_500", status: 500, answer: "broken" },
  ]);
  const failed = `${ACTION}/deliveries/${results[1].delivery_id}`;
  expect((await post(`${failed}/redeliver`, {}, admin)).body).toMatchObject({ state: "failed", attempts: 2 });
  receiver.answer = (_, answer) => answer.end();
  expect((await post(`${failed}/redeliver`, {}, admin)).body).toMatchObject({
    ...{ id: results[1].delivery_id, state: "delivered", attempts: 3, outcome: "delivered" },
  });
  const { log } = (await get(failed, admin)).body;
  expect(log).toMatchObject([500, 500, 200].map((status) => ({ status, manual: true })));
  const sentAgain = receiver.received.filter(({ path }) => path === "/down");
  expect(new Set(sentAgain.map(({ id, body }) => `${id} ${body}`)).size).toBe(1);
  expect(receiver.received).toHaveLength(4);
});
