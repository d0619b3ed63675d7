import { afterAll, beforeEach, describe, expect, it, test, vi } from "vitest";
import { makeLinks } from "../../../src/service/kernel/links.ts";
import { createKey } from "../../../src/service/people/accounts/keys.ts";
import { dueWarning, warnOfExpiringKeys } from "../../../src/service/people/key-expiry.ts";
import { startReceiver } from "../delivery/attempts/receiver.ts";
import { type WatchedService, watchedService } from "../delivery/rules/rows.ts";
import { pipeline, send } from "../requests.ts";
import { ORG, OTHER_ORG } from "../running-service.ts";

const DAY = 24 * 60 * 60;

describe("which warning is due", () => {
  const start = 1_800_000_000;
  /** Due warning of a key with a lifetime of `days` and `left` days left. */
  const due = (days: number, left: number, warnedDays: number | null = null) =>
    dueWarning({ createdAt: start, expiresAt: start + days * DAY, warnedDays }, start + (days - left) * DAY);

  test.each([
    [90, 14.1, null, undefined],
    [90, 14, null, 14],
    [90, 3.1, 14, undefined],
    [90, 3, 14, 3],
    [90, 1.1, 3, undefined],
    [90, 1, 3, 1],
    [90, 0.1, 1, undefined],
    [90, 0, null, undefined],
    [90, -1, null, undefined],
    // No instance ran to send the earlier ones.
    [90, 2, null, 3],
    [90, 0.5, 14, 1],
    // Shorter lifetimes.
    [14, 14, null, undefined],
    [10, 9, null, undefined],
    [10, 3, null, 3],
    [2, 1, null, 1],
    [1, 0.5, null, undefined],
  ])("for a key of %d days with %d left, last sent at %s days: %s", (days, left, last, expected) => {
    expect(due(days, left, last)).toBe(expected);
  });
});

let service: WatchedService;
beforeEach(async () => {
  await service?.dispose();
  service = await watchedService();
});
afterAll(() => service.dispose());

const HOOK = { type: "WEBHOOK", webhook: "https://receiver.example/hook" };

const rule = (more: object = {}) =>
  send(service, {
    ...{ method: "PUT", path: `/actions/${ORG}/organization` },
    json: { name: "keys", targets: [HOOK], ...more },
  });
const createKeyFor = async (account: string, days: number, key = service.keys.admin, org = ORG) => {
  const { body } = await send(service, {
    ...{ method: "POST", path: `/service-accounts/${org}/${account}/api-keys`, key },
    json: { description: "for CI", expires_at: service.clock.time + days * DAY },
  });
  return body;
};

/** Runs the job in several instances that were just started, all at once. */
async function warn({ instances = 1 } = {}) {
  await Promise.all(
    Array.from({ length: instances }, async () => {
      const store = await service.openStore();
      const links = makeLinks(() => service.address);
      const deliveries = { wake: () => undefined, attempt: async () => undefined };
      const now = () => service.clock.time;
      await warnOfExpiringKeys({ store, links, deliveries, now }).run(new AbortController().signal);
      await store.close();
    }),
  );
}

/** Makes the rules of an organization unreadable. */
async function spoilRulesOf(org: string) {
  const store = await service.openStore();
  await store.write(async (db) => {
    const { id } = await db
      .selectFrom("organizations")
      .select("id")
      .where("name", "=", org)
      .executeTakeFirstOrThrow();
    await db.updateTable("actions").set({ triggers: "{" }).where("org_id", "=", id).execute();
  });
  await store.close();
}

const sentences = async () => (await service.events()).map(({ description }) => description);
const audited = async () => {
  const path = `/audit-log/${ORG}?act=api_key.expiring`;
  return (await send(service, { path, key: service.keys.admin })).body.data;
};
const expires = (when: string) => `The API key 'for CI' of the service account 'reader' expires in ${when}.`;

describe("an expiring key", () => {
  it("is reported 14, 3 and 1 days before, once each, with any number of instances and restarts", async () => {
    await rule();
    const { id, key, expires_at } = await createKeyFor("reader", 90);
    for (const daysLeft of [89, 15, 14, 13.5, 3, 2.5, 1, 0.5]) {
      service.clock.time = expires_at - daysLeft * DAY;
      await warn({ instances: 3 });
    }
    expect(await sentences()).toEqual([expires("14 days"), expires("3 days"), expires("a day")]);
    const events = await service.events();
    expect(events.at(-1)).toEqual({
      version: "1.0",
      type: "api_key.expiring",
      event_type: "EXPIRING_API_KEY",
      timestamp: String(expires_at - DAY),
      sequence: 3,
      org: ORG,
      description: expires("a day"),
      reasons: [],
      api_key: {
        id,
        description: "for CI",
        service_account: "reader",
        expires_at,
        days_left: 1,
        html_url: `${service.address}/${ORG}/accounts/reader`,
      },
    });
    expect(JSON.stringify(events)).not.toContain(key);
    expect(await service.deliveries()).toHaveLength(3);
    const entries = await audited();
    expect(entries).toHaveLength(3);
    expect(entries[0]).toMatchObject({
      ...{ account: "the service", api_key_id: null },
      resource: { type: "api_key", name: "reader", id },
      details: { description: "for CI", expires_at },
    });
  });

  it("is reported in the audit log without a rule, and to a rule once there is one", async () => {
    const { expires_at } = await createKeyFor("reader", 90);
    service.clock.time = expires_at - 10 * DAY;
    await warn();
    await rule();
    await warn();
    expect(await sentences()).toEqual([]);
    expect(await audited()).toHaveLength(1);
    service.clock.time = expires_at - 3 * DAY;
    await warn();
    expect(await sentences()).toEqual([expires("3 days")]);
  });

  it("is reported with the current days when no instance ran earlier", async () => {
    await rule();
    const { expires_at } = await createKeyFor("reader", 90);
    service.clock.time = expires_at - 1.5 * DAY;
    await warn();
    await warn();
    expect(await sentences()).toEqual([expires("2 days")]);
  });

  it("is reported even if the warning about another key fails and is retried", async () => {
    await rule();
    await send(service, {
      ...{ method: "PUT", path: `/actions/${OTHER_ORG}/organization`, key: service.keys.stranger },
      json: { name: "keys", targets: [HOOK] },
    });
    await spoilRulesOf(OTHER_ORG);
    const other = await createKeyFor("stranger", 89, service.keys.stranger, OTHER_ORG);
    const { expires_at } = await createKeyFor("reader", 90);
    service.clock.time = expires_at - 14 * DAY;
    for (const _ of [1, 2]) {
      await expect(warn()).rejects.toThrow(`Failed to warn of the API key '${other.id}'`);
    }
    expect(await sentences()).toEqual([expires("14 days")]);
  });

  it("is reported to its own organization only", async () => {
    await rule();
    const { expires_at } = await createKeyFor("stranger", 90, service.keys.stranger, OTHER_ORG);
    service.clock.time = expires_at - DAY;
    await warn();
    expect([await sentences(), await audited()]).toEqual([[], []]);
  });
});

describe("an expiring SCIM token", () => {
  const createToken = async (days: number) => {
    const { status, body } = await send(service, {
      ...{ method: "POST", path: `/scim-tokens/${ORG}`, key: service.keys.admin },
      json: { description: "Okta", provider: "company", expires_at: service.clock.time + days * DAY },
    });
    expect(status).toBe(201);
    return body;
  };

  it("is reported as a key is, unless it was revoked", async () => {
    await rule();
    const { id, token, expires_at } = await createToken(90);
    const revoked = await createToken(90);
    const path = `/scim-tokens/${ORG}/${revoked.id}`;
    await send(service, { method: "DELETE", path, key: service.keys.admin });
    for (const daysLeft of [15, 14, 13.5, 3, 0.5]) {
      service.clock.time = expires_at - daysLeft * DAY;
      await warn({ instances: 3 });
    }
    const expiring = (when: string) =>
      `The SCIM token 'Okta' of the login provider 'company' expires in ${when}.`;
    expect(await sentences()).toEqual([expiring("14 days"), expiring("3 days"), expiring("a day")]);
    const events = await service.events();
    expect(events.at(-1)).toMatchObject({
      ...{ type: "scim_token.expiring", event_type: "EXPIRING_SCIM_TOKEN", org: ORG },
      scim_token: {
        ...{ id, description: "Okta", provider: "company", expires_at, days_left: 1 },
        html_url: `${service.address}/${ORG}/scim-tokens`,
      },
    });
    expect(JSON.stringify(events)).not.toContain(token);
    const audit = `/audit-log/${ORG}?act=scim_token.expiring`;
    const { data } = (await send(service, { path: audit, key: service.keys.admin })).body;
    expect(data).toHaveLength(3);
    expect(data[0]).toMatchObject({
      ...{ account: "the service", resource: { type: "scim_token", name: "Okta", id } },
      details: { provider: "company", expires_at },
    });
  });
});

describe("an expiring admission webhook", () => {
  const webhooks = `/admission-webhooks/${ORG}`;
  const create = async (name: string, days: number) => {
    const { status, body } = await send(service, {
      ...{ method: "POST", path: webhooks, key: service.keys.admin },
      json: { name, environment_name: "production", expires_at: service.clock.time + days * DAY },
    });
    expect(status).toBe(201);
    return body;
  };

  it("is reported as a key is, unless it was deleted", async () => {
    await rule();
    await pipeline(service).environment("production");
    const { url, expires_at } = await create("cluster-1", 90);
    await create("cluster-2", 90);
    await send(service, { method: "DELETE", path: `${webhooks}/cluster-2`, key: service.keys.admin });
    for (const daysLeft of [15, 14, 3, 0.5]) {
      service.clock.time = expires_at - daysLeft * DAY;
      await warn({ instances: 3 });
    }
    const expiring = (when: string) =>
      `The admission webhook 'cluster-1' of the environment 'production' expires in ${when}.`;
    expect(await sentences()).toEqual([expiring("14 days"), expiring("3 days"), expiring("a day")]);
    const events = await service.events();
    expect(events.at(-1)).toMatchObject({
      ...{ type: "admission_webhook.expiring", event_type: "EXPIRING_ADMISSION_WEBHOOK", org: ORG },
      admission_webhook: {
        ...{ name: "cluster-1", environment: "production", expires_at, days_left: 1 },
        html_url: `${service.address}/${ORG}/admission-webhooks`,
      },
    });
    expect(JSON.stringify(events)).not.toContain(new URL(url).pathname);
    const audit = `/audit-log/${ORG}?act=admission_webhook.expiring`;
    const { data } = (await send(service, { path: audit, key: service.keys.admin })).body;
    expect(data).toHaveLength(3);
    expect(data[0]).toMatchObject({
      ...{ account: "the service", resource: { type: "admission_webhook", name: "cluster-1" } },
      details: { environment: "production", expires_at },
    });
  });
});

it("is not reported if replaced, revoked, short-lived or of a deleted account", async () => {
  await rule();
  const keyPath = ({ id }: { id: string }) => `/service-accounts/${ORG}/reader/api-keys/${id}`;
  const admin = { key: service.keys.admin };
  const rotated = await createKeyFor("reader", 90);
  // The grace period is longer than the key's remaining life.
  const grace = { grace_period_hours: 720 };
  const revoked = await createKeyFor("reader", 90);
  await createKeyFor("member", 90);
  service.clock.time += 76 * DAY;
  await send(service, { ...admin, method: "POST", path: `${keyPath(rotated)}/rotate`, json: grace });
  await send(service, { ...admin, method: "DELETE", path: keyPath(revoked) });
  await send(service, { ...admin, method: "DELETE", path: `/service-accounts/${ORG}/member` });
  await createKeyFor("reader", 14);
  await warn();
  expect([await sentences(), await audited()]).toEqual([[], []]);
});

it("is not reported if it never expires", async () => {
  await rule();
  const store = await service.openStore();
  await store.write(async (db) => {
    const { id } = await db
      .selectFrom("service_accounts")
      .select("id")
      .where("name", "=", "reader")
      .executeTakeFirstOrThrow();
    await createKey(db, { accountId: id, description: "for CI", expiresAt: null, now: service.clock.time });
  });
  await store.close();
  service.clock.time += 1_000 * DAY;
  await warn();
  expect(await sentences()).toEqual([]);
});

it("is reported by a rule that is delivered, retried and shown like any other", async () => {
  await using receiver = await startReceiver();
  const target = { type: "WEBHOOK", webhook: `${receiver.address}/hook` };
  expect((await rule({ targets: [target], triggers: ["ON_EXPIRING_API_KEY"] })).status).toBe(201);
  const shown = await send(service, { path: `/actions/${ORG}/1` });
  expect(shown.body).toMatchObject({
    ...{ name: "keys", type: "org", flows: null, environments: null },
    triggers: ["ON_EXPIRING_API_KEY"],
  });
  const { body } = await send(service, { method: "POST", path: `/actions/${ORG}/1/test`, json: {} });
  expect(body.results).toMatchObject([{ outcome: "delivered" }]);
  const { expires_at } = await createKeyFor("reader", 90);
  service.clock.time = expires_at - 14 * DAY;
  await warn();
  await vi.waitFor(() => expect(receiver.received).toHaveLength(2), 10_000);
  const [example, event] = receiver.received.map((each) => JSON.parse(each.body));
  expect(example).toMatchObject({
    test: true,
    type: "api_key.expiring",
    api_key: { service_account: "example" },
  });
  expect(event).toMatchObject({ type: "api_key.expiring", description: expires("14 days") });
  expect(
    (await send(service, { path: `/actions/${ORG}/1/deliveries?trigger=ON_EXPIRING_API_KEY` })).body.data,
  ).toHaveLength(2);
});
