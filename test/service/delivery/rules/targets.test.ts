import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { tidyDeliveries } from "../../../../src/service/delivery/attempts/old-events.ts";
import { databaseFile, openServedStore } from "../../../../src/service/store/sqlite/open-store.ts";
import { addressesOf } from "../../../../src/service/store/target-addresses.ts";
import { pipeline, send } from "../../requests.ts";
import { ORG } from "../../running-service.ts";
import { type WatchedService, watchedService } from "./rows.ts";

let service: WatchedService;
beforeEach(async () => {
  await service?.dispose();
  service = await watchedService();
});
afterAll(() => service.dispose());

const HOOK = { type: "WEBHOOK", webhook: "https://receiver.example/hook" };
const MAIL = { type: "EMAIL", emails: ["ada@example.org", "bob@example.org"] };

const put = (targets: object[], path = `/actions/${ORG}/flows`, more: object = {}) =>
  send(service, { method: "PUT", path, json: { name: "all", targets, ...more } });
const targets = () =>
  service.ask(
    "select id, kind, shown as address, position, removed_at, ended_at, secret from notification_targets order by 2, 3",
  );
const states = async () => (await service.deliveries()).sort();

it.each([
  ["WEBHOOK", "https://receiver.example/hook", "webhook"],
  ["WEBHOOK", "https://hooks.slack.com/services/T/B/x", "slack"],
  ["WEBHOOK", "https://hooks.slack-gov.com/services/T/B/x", "slack"],
  ["WEBHOOK", "https://hooks.slack.com.evil.example/services/T/B/x", "webhook"],
  ["SLACK", "https://chat.example/hooks/x", "slack"],
  ["WEBHOOK", "https://prod-1.westeurope.logic.azure.com:443/workflows/x?sig=y", "teams"],
  ["WEBHOOK", "https://default1.0f.environment.api.powerplatform.com/powerautomate/x", "teams"],
  ["WEBHOOK", "https://acme.webhook.office.com/webhookb2/x", "teams"],
  ["WEBHOOK", "https://notlogic.azure.com/x", "webhook"],
  ["WEBHOOK", "https://api.github.com/repos/acme/web/dispatches", "github"],
  ["WEBHOOK", "https://api.acme.ghe.com/repos/acme/web/dispatches", "github"],
  ["WEBHOOK", "https://git.example/api/v3/repos/acme/web/dispatches", "github"],
  ["WEBHOOK", "https://git.example/repos/acme/web/dispatches", "webhook"],
  ["WEBHOOK", "https://api.github.com/repos/acme/web/issues", "webhook"],
])("%s %s is classified as %s", (type, webhook, kind) => {
  expect(addressesOf([{ type, webhook }])).toMatchObject([{ kind, address: webhook }]);
});

describe("the targets of a notification rule", () => {
  it("are kept when it is saved, stop when it no longer names them, and can return", async () => {
    await put([HOOK, MAIL]);
    await pipeline(service).trail("web", "t0");
    await pipeline(service).attest("web", "t1");
    const [ada, bob, hook] = await targets();
    expect([ada, bob, hook].map((each) => [each?.["kind"], each?.["address"], each?.["position"]])).toEqual([
      ["email", "ada@example.org", 1],
      ["email", "bob@example.org", 2],
      ["webhook", "receiver.example/…", 0],
    ]);
    expect([ada, bob, hook].map((each) => each?.["secret"])).toEqual([null, null, expect.any(String)]);
    await service.ask(`update notification_targets set ended_at = 5 where kind = 'webhook'`);
    await service.ask(`update notification_targets set ended_at = 5 where address like 'bob%'`);
    await put([{ type: "EMAIL", emails: ["bob@example.org"] }]);
    expect(await targets()).toEqual([
      { ...ada, removed_at: 1_800_000_000 },
      { ...bob, position: 0, ended_at: 5 },
      { ...hook, ended_at: 5, removed_at: 1_800_000_000 },
    ]);
    await pipeline(service).attest("web", "t1", { attestation_name: "later" });
    const mine = "ON_ATTESTATION";
    const begun = "ON_STARTED_TRAIL";
    const before = [
      ...[`${mine} ada@example.org cancelled`, `${mine} bob@example.org pending`],
      ...[`${mine} ${HOOK.webhook} cancelled`, `${begun} ada@example.org cancelled`],
      ...[`${begun} bob@example.org pending`, `${begun} ${HOOK.webhook} cancelled`],
    ];
    expect(await states()).toEqual(before);
    await put([HOOK]);
    expect((await targets())[2]).toEqual(hook);
    await pipeline(service).attest("web", "t1", { attestation_name: "last" });
    expect((await states()).filter((each) => !each.includes("bob"))).toEqual(
      [...before.filter((each) => !each.includes("bob")), `${mine} ${HOOK.webhook} pending`].sort(),
    );
  });

  it("are removed with it", async () => {
    await put([HOOK]);
    await pipeline(service).attest("web", "t1");
    expect((await send(service, { method: "DELETE", path: `/actions/${ORG}/1` })).status).toBe(200);
    expect(await targets()).toMatchObject([{ removed_at: 1_800_000_000 }]);
    expect(new Set((await service.deliveries()).map((each) => each.split(" ").at(-1)))).toEqual(
      new Set(["cancelled"]),
    );
    await pipeline(service).attest("web", "t1", { attestation_name: "later" });
    expect((await service.events()).length).toBe(2);
  });

  it("delay a request only for a limited number of cancellations, and the rest follows", async () => {
    await put([HOOK], `/actions/${ORG}/environments`, { environments: [], triggers: [] });
    const { environment, report } = pipeline(service);
    await environment("prod");
    const pods = Array.from({ length: 1_500 }, (_, i) => ({
      ...{ podName: `p${i}`, namespace: "n", creationTimestamp: 1 },
      digests: { [`web-${i}`]: `${i}`.padStart(64, "0") },
    }));
    await report("prod", pods);
    await send(service, { method: "DELETE", path: `/actions/${ORG}/1` });
    const waiting = async () =>
      (await service.ask("select id from notification_deliveries where due_at is not null")).length;
    expect(await waiting()).toBe(500);
    const store = openServedStore(databaseFile(service.dataFolder));
    await tidyDeliveries({ store, clock: async () => 7 }).run(new AbortController().signal);
    await store.close();
    expect(await waiting()).toBe(0);
  });
});

it("a write that fails afterwards leaves no event", async () => {
  await put([HOOK], `/actions/${ORG}/environments`, { environments: [], triggers: [] });
  const { environment, report } = pipeline(service);
  await environment("prod");
  await service.ask(`create trigger breaks before update of latest_snapshot_id on environments
    begin select raise(abort, 'broken'); end`);
  const pods = [{ podName: "p", namespace: "n", creationTimestamp: 1, digests: { web: "a".repeat(64) } }];
  expect((await report("prod", pods)).status).toBe(500);
  expect(await service.events()).toEqual([]);
  await service.ask("drop trigger breaks");
  expect((await report("prod", pods)).status).toBe(201);
  expect((await service.events()).map(({ sequence }) => sequence)).toEqual([1]);
});
