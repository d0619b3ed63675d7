import { describe, expect, it } from "vitest";
import type { NotificationTarget } from "../../src/api/resources/notifications.ts";
import { pipeline } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const target = await conformance();
const { client, ask } = target;
const quietFlow = await pipeline(target).flow();

const NO_ACTION = "Action not found";
/** Nothing is sent to it: loopback is refused. */
const WEBHOOK = "https://127.0.0.1:65535/the-secret-part-a1b2";
const DISPATCHES = "https://127.0.0.1:65535/api/v3/repos/acme/web/dispatches";
const hook = (webhook: string) => ({ type: "WEBHOOK" as const, webhook });
const mail = { type: "EMAIL" as const, emails: ["a@example.org", "b@example.org"] };

/** A flow action that only this test uses, by its number. */
async function newAction(
  targets: NotificationTarget[] = [hook(WEBHOOK), hook(DISPATCHES)],
  more: object = {},
): Promise<number> {
  const name = unique("action");
  await client.putFlowAction({ body: { name, targets, flows: [quietFlow], ...more } });
  const { body } = await client.listActions({});
  return body.find((each) => each.name === name)?.number ?? expect.fail("it was not stored");
}

describe("deliveries", () => {
  it("are listed newest first, in pages that later deliveries do not shift", async () => {
    const actionNumber = await newAction([hook(WEBHOOK)]);
    const test = async () => {
      const { body } = await client.testAction({ actionNumber, body: {} });
      return body.results[0]?.deliveryId ?? expect.fail("there is no delivery");
    };
    const ids = [await test(), await test(), await test(), await test(), await test()];
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const { body } = await client.listDeliveries({
        actionNumber,
        perPage: 2,
        ...(after === undefined ? {} : { after }),
      });
      seen.push(...body.data.map(({ id }) => id));
      after = body._links?.next?.after;
      await test();
    } while (after !== undefined);
    expect(seen.toSorted()).toEqual(ids.toSorted());
    const { body } = await client.listDeliveries({ actionNumber, perPage: 100 });
    const times = body.data.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted((one, other) => other - one));
  });

  it("are found by state, trigger, target and time", async () => {
    const actionNumber = await newAction([hook(WEBHOOK), hook(DISPATCHES)], { triggers: ["ON_APPROVAL"] });
    await client.testAction({ actionNumber, body: {} });
    const count = async (filter: object) =>
      (await client.listDeliveries({ actionNumber, ...filter })).body.data.length;
    expect(await count({})).toBe(2);
    const [first] = (await client.listDeliveries({ actionNumber })).body.data;
    const at = first?.createdAt ?? expect.fail("there is no delivery");
    expect(await count({ state: "failed" })).toBe(2);
    expect(await count({ state: "delivered" })).toBe(0);
    expect(await count({ trigger: "ON_APPROVAL" })).toBe(2);
    expect(await count({ trigger: "ON_ATTESTATION" })).toBe(0);
    expect(await count({ target: 2 })).toBe(1);
    expect(await count({ fromTimestamp: at, toTimestamp: at + 1 })).toBe(2);
    expect(await count({ fromTimestamp: at + 1 })).toBe(0);
    expect(await count({ toTimestamp: at })).toBe(0);
    await expectRefusal(
      client.listDeliveries({ actionNumber, target: 3 }),
      404,
      "The rule has no target 3: use a number from 1 to 2",
    );
    expect(
      (await ask("listDeliveries", { params: { action_number: actionNumber }, query: { after: "x" } }))
        .status,
    ).toBe(400);
  });

  it("show their content: an example of the first trigger, with its number in the organization", async () => {
    const actionNumber = await newAction([hook(WEBHOOK), mail], { triggers: ["ON_RELEASE", "ON_APPROVAL"] });
    const { body } = await client.testAction({ actionNumber, body: { target: 1 } });
    expect(body.results).toMatchObject([
      { target: { number: 1, kind: "webhook", address: "127.0.0.1:65535/…a1b2" }, delivered: false },
    ]);
    const deliveryId = body.results[0]?.deliveryId ?? "";
    const delivery = (await client.getDelivery({ actionNumber, deliveryId })).body;
    expect(delivery).toMatchObject({
      trigger: "ON_RELEASE",
      type: "approval.approved",
      state: "failed",
      dueAt: null,
    });
    expect(JSON.parse(delivery.body ?? "")).toMatchObject({
      sequence: expect.any(Number),
      version: "1.0",
      type: "approval.approved",
      event_type: "RELEASE",
      test: true,
      approval: { state: "APPROVED" },
    });
    const again = (await client.redeliver({ actionNumber, deliveryId })).body;
    expect(again).toMatchObject({ id: deliveryId, eventId: delivery.eventId });
    expect((await client.getDelivery({ actionNumber, deliveryId })).body.body).toBe(delivery.body);
    const other = await newAction();
    await expectRefusal(client.getDelivery({ actionNumber: other, deliveryId }), 404, "Delivery not found");
  });

  it("that are examples are not retried", async () => {
    const actionNumber = await newAction();
    await client.testAction({ actionNumber, body: {} });
    const { body } = await client.recoverDeliveries({ actionNumber, body: { since: 0 } });
    expect(body).toEqual({ recovered: 0, more: false });
  });

  it.each([
    ["since", { since: 1e300 }],
    ["since", { since: -1 }],
    ["until", { since: 0, until: 1e12 }],
  ])("are not recovered %s an invalid time: %o", async (field, body) => {
    const params = { action_number: await newAction() };
    await expectInvalid(ask("recoverDeliveries", { params, body }), { [field]: "[input: " });
  });

  it("are not repeated to a target that the action no longer names", async () => {
    const name = unique("action");
    const put = (targets: ReturnType<typeof hook>[]) =>
      client.putFlowAction({ body: { name, targets, flows: [quietFlow] } });
    await put([hook(WEBHOOK)]);
    const actionNumber = (await client.listActions({})).body.find((each) => each.name === name)?.number ?? 0;
    const { body } = await client.testAction({ actionNumber, body: {} });
    await put([hook(DISPATCHES)]);
    const deliveryId = body.results[0]?.deliveryId ?? "";
    expect((await client.getDelivery({ actionNumber, deliveryId })).body.target.number).toBeNull();
    await expectRefusal(
      client.redeliver({ actionNumber, deliveryId }),
      409,
      "This target was removed from the rule: add it to the rule's targets again",
    );
  });
});

describe("targets", () => {
  it("are listed with their kinds, mail addresses one by one", async () => {
    const actionNumber = await newAction([
      hook(WEBHOOK),
      mail,
      hook("https://hooks.slack.com/services/T/B/c3d4"),
    ]);
    const { body } = await client.listTargets({ actionNumber });
    expect(body.map(({ number, kind, address }) => [number, kind, address])).toEqual([
      [1, "webhook", "127.0.0.1:65535/…a1b2"],
      [2, "email", "a@example.org"],
      [3, "email", "b@example.org"],
      [4, "slack", "hooks.slack.com/…c3d4"],
    ]);
    expect(body[0]).toMatchObject({ state: "ok", endedBecause: null, waiting: 0, dueAt: null });
    expect((await client.enableTargets({ actionNumber, body: {} })).body).toEqual({ enabled: 0 });
  });
});

describe("signing secrets", () => {
  const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);

  it("are shown once, each with the public key of the organization", async () => {
    const actionNumber = await newAction([hook(WEBHOOK), hook(`${WEBHOOK}2`), mail]);
    const first = (await client.showSecrets({ actionNumber })).body;
    expect(first).toEqual({
      secrets: [
        { target: { number: 1, kind: "webhook", address: "127.0.0.1:65535/…a1b2" }, secret },
        { target: { number: 2, kind: "webhook", address: "127.0.0.1:65535/…1b22" }, secret },
      ],
      publicKey: expect.stringMatching(/^whpk_[A-Za-z0-9+/]{43}=$/),
    });
    expect(first.secrets[0]?.secret).not.toBe(first.secrets[1]?.secret);
    const { publicKey } = first;
    expect((await client.showSecrets({ actionNumber })).body).toEqual({ secrets: [], publicKey });
    const other = (await client.showSecrets({ actionNumber: await newAction() })).body;
    expect(other).toMatchObject({ secrets: [{ secret }], publicKey });
  });

  it("are rotated, and a second time only by force while both sign", async () => {
    const actionNumber = await newAction([hook(WEBHOOK), hook(`${WEBHOOK}2`)]);
    const [shown] = (await client.showSecrets({ actionNumber })).body.secrets;
    const rotate = (body: { target?: number; gracePeriodHours?: number; force?: boolean }) =>
      client.rotateSecrets({ actionNumber, body });
    const reply = await rotate({ target: 1, gracePeriodHours: 48 });
    expect(reply.status).toBe(201);
    expect(reply.body.secrets).toMatchObject([
      { target: { number: 1 }, secret, gracePeriodExpiresAt: expect.any(Number) },
    ]);
    expect(reply.body.secrets[0]?.secret).not.toBe(shown?.secret);
    const before = (await client.listTargets({ actionNumber })).body;
    const { status, body } = await ask("rotateSecrets", {
      params: { action_number: actionNumber },
      body: {},
    });
    expect([status, body.message]).toEqual([
      409,
      expect.stringContaining(
        "The secret of target 1 was rotated recently, and its former secret signs until 2",
      ),
    ]);
    expect((await client.listTargets({ actionNumber })).body).toEqual(before);
    // The refusal rotated none of them.
    expect((await rotate({ target: 2, gracePeriodHours: 0 })).body.secrets).toMatchObject([
      { secret, gracePeriodExpiresAt: null },
    ]);
    expect((await rotate({ force: true })).body.secrets).toHaveLength(2);
    for (const gracePeriodHours of [-1, 169]) {
      const refused = await ask("rotateSecrets", {
        params: { action_number: actionNumber },
        body: { grace_period_hours: gracePeriodHours },
      });
      expect(refused.status).toBe(400);
    }
  });

  it("are those of webhooks only, as tokens are those of GitHub only", async () => {
    const actionNumber = await newAction();
    const token = { token: "ghp_sample" };
    expect((await client.setTargetToken({ actionNumber, body: token })).body).toBe(
      "The token is sent to 127.0.0.1:65535 only",
    );
    const { status } = await ask("setTargetToken", {
      params: { action_number: actionNumber },
      body: { token: "a b" },
    });
    expect(status).toBe(400);
    await expectRefusal(
      client.setTargetToken({ actionNumber, body: { ...token, target: 1 } }),
      404,
      "None of these targets is a GitHub address that requires a token, https://api.github.com/repos/OWNER/REPO/dispatches",
    );
    await expectRefusal(
      client.rotateSecrets({ actionNumber, body: { target: 2 } }),
      404,
      "None of these targets is a webhook with signed deliveries",
    );
  });
});

it("an unknown action has none of it", async () => {
  const actionNumber = 999_999_999;
  await expectRefusal(client.listDeliveries({ actionNumber }), 404, NO_ACTION);
  await expectRefusal(client.listTargets({ actionNumber }), 404, NO_ACTION);
  await expectRefusal(client.showSecrets({ actionNumber }), 404, NO_ACTION);
  await expectRefusal(client.testAction({ actionNumber, body: {} }), 404, NO_ACTION);
  await expectRefusal(client.recoverDeliveries({ actionNumber, body: { since: 0 } }), 404, NO_ACTION);
  await expectRefusal(client.enableTargets({ actionNumber, body: {} }), 404, NO_ACTION);
});
