import { describe, expect, it } from "vitest";
import type { OperationName } from "../../src/api/resources/operations.ts";
import { pipeline } from "./pipeline.ts";
import { expectInvalid, expectRefusal } from "./refusal.ts";
import { EXTRA, type InvalidBody, invalidBodies, namePattern, PATTERN, REQUIRED } from "./tables.ts";
import { conformance } from "./target.ts";
import { unique } from "./unique.ts";

const target = await conformance();
const { client, ask } = target;

const email = { type: "EMAIL" as const, emails: ["a@example.org"] };
const webhook = { type: "WEBHOOK" as const, webhook: "https://hooks.example.org/x" };
const slack = { type: "SLACK" as const, webhook: "https://hooks.slack.com/services/T/B/x" };
const NO_ACTION = "Action not found";

const named = async (name: string) =>
  (await client.listActions({})).body.filter((each) => each.name === name);
const flowAction = (name = unique("action")) => ({ body: { name, targets: [email] } });
const envAction = (name = unique("action")) => ({
  body: { name, targets: [email], environments: [], triggers: ["ON_NON_COMPLIANT_ENV"] },
});

async function storedNotification() {
  const name = unique("action");
  await client.putEnvironmentNotification({
    body: { name, targets: [email], environments: [], triggers: ["ON_COMPLIANT_ENV"] },
  });
  return (await named(name))[0]?.number ?? 0;
}

describe("a flow action", () => {
  it("treats a target without a type as the first kind that has its fields", async () => {
    const name = unique("action");
    const { webhook: address } = webhook;
    const context = { channel_id: "c", channel_name: "n", team_id: "t" };
    const targets = [
      { webhook: address },
      { webhook: address, context },
      { webhook: address, payload_version: "1.0" },
      { emails: email.emails },
    ];
    for (const [put, more] of [
      ["putFlowAction", {}],
      ["putEnvironmentAction", { environments: [], triggers: ["ON_COMPLIANT_ENV"] }],
      ["putEnvironmentNotification", { environments: [], triggers: ["ON_COMPLIANT_ENV"] }],
    ] as const) {
      const own = `${name}-${put}`;
      expect((await ask(put, { body: { name: own, targets, ...more } })).status).toBe(201);
      expect((await named(own))[0]?.targets).toMatchObject([
        { type: "SLACK", webhook: address },
        { type: "SLACK", webhook: address, context: { channelName: "n" } },
        { type: "WEBHOOK", webhook: address, payloadVersion: "1.0" },
        { type: "EMAIL", emails: email.emails },
      ]);
    }
  });

  it("is created, then updated under the same name and number", async () => {
    const name = unique("action");
    const put = (more: object) =>
      client.putFlowAction({ body: { name, targets: [email, webhook, slack], ...more } });
    const flow = await pipeline(target).flow();
    const first = await put({ flows: [flow], triggers: ["ON_ATTESTATION"] });
    expect([first.status, first.body]).toEqual([201, "OK"]);
    const [created] = await named(name);
    expect(created).toMatchObject({
      name,
      type: "flow",
      number: expect.any(Number),
      targets: [
        { type: "EMAIL", emails: ["a@example.org"] },
        { type: "WEBHOOK", payloadVersion: "1.0" },
        { type: "SLACK" },
      ],
      triggers: ["ON_ATTESTATION"],
      flows: [flow],
      createdBy: expect.any(String),
      isCreatedFromSlackApp: false,
      lastModifiedAt: expect.any(Number),
    });
    const second = await put({ triggers: ["ON_RELEASE"] });
    expect([second.status, second.body]).toEqual([200, "OK"]);
    expect(await named(name)).toMatchObject([
      { number: created?.number, triggers: ["ON_RELEASE"], flows: [] },
    ]);
  });

  it("is refused when it names flows that do not exist", async () => {
    const { body } = flowAction();
    const flows = [await pipeline(target).flow(), unique("missing")];
    const text = `Flow named '${flows[1]}' does not exist for organization '${target.org}' [input: ${flows[1]}]`;
    await expectInvalid(ask("putFlowAction", { body: { ...body, flows } }), { "flows[1]": text });
    expect(await named(body.name)).toEqual([]);
  });

  it.each(["ON_STARTED_TRAIL", "ON_ATTESTED_PROVENANCE", "ON_ATTESTATION", "ON_APPROVAL", "ON_RELEASE"])(
    "accepts the trigger %s",
    async (trigger) => {
      const { body } = flowAction();
      const { status } = await ask("putFlowAction", { body: { ...body, triggers: [trigger], flows: [] } });
      expect(status).toBe(201);
    },
  );

  invalidBodies(target, "putFlowAction", () => flowAction(), [
    [{ type: "env" }, "type", "Input should be 'flow'"],
    [{ triggers: ["ON_STARTED_ARTIFACT"] }, "triggers[0]", "Input should be 'ON_STARTED_TRAIL'"],
    [{ flows: "web" }, "flows", "Input should be a valid list"],
    [{ flows: ["a b"] }, "flows[0]", PATTERN],
    [{ environments: [] }, "environments", EXTRA],
  ]);
});

describe("an environment action", () => {
  it("is created, then updated under the same name and number", async () => {
    const name = unique("action");
    const put = (environments: string[]) =>
      client.putEnvironmentAction({
        body: { name, targets: [email], environments, triggers: ["ON_SCALED_ARTIFACT"] },
      });
    expect((await put(["prod"])).status).toBe(201);
    const [created] = await named(name);
    expect(created).toMatchObject({ type: "env", environments: ["prod"], triggers: ["ON_SCALED_ARTIFACT"] });
    expect((await put([])).status).toBe(200);
    expect(await named(name)).toMatchObject([{ number: created?.number, environments: [] }]);
  });

  it.each([
    "ON_STARTED_ARTIFACT",
    "ON_EXITED_ARTIFACT",
    "ON_SCALED_ARTIFACT",
    "ON_ALLOWED_ARTIFACT",
    "ON_NON_COMPLIANT_ENV",
    "ON_COMPLIANT_ENV",
  ])("accepts the trigger %s", async (trigger) => {
    const { body } = envAction();
    expect((await ask("putEnvironmentAction", { body: { ...body, triggers: [trigger] } })).status).toBe(201);
  });
});

describe("an organization action", () => {
  it("is created, then updated under the same name and number", async () => {
    const name = unique("action");
    const put = (more: object) => client.putOrganizationAction({ body: { name, targets: [email], ...more } });
    expect((await put({})).status).toBe(201);
    const [created] = await named(name);
    expect(created).toMatchObject({ type: "org", flows: null, environments: null, triggers: [] });
    expect((await put({ triggers: ["ON_EXPIRING_API_KEY"] })).status).toBe(200);
    expect(await named(name)).toMatchObject([{ number: created?.number, triggers: ["ON_EXPIRING_API_KEY"] }]);
  });

  invalidBodies(target, "putOrganizationAction", () => flowAction(), [
    [{ type: "env" }, "type", "Input should be 'org'"],
    [
      { triggers: ["ON_RELEASE"] },
      "triggers[0]",
      "Input should be 'ON_EXPIRING_API_KEY', 'ON_EXPIRING_SCIM_TOKEN' or 'ON_EXPIRING_ADMISSION_WEBHOOK'",
    ],
    [{ flows: [] }, "flows", EXTRA],
    [{ environments: [] }, "environments", EXTRA],
  ]);
});

describe("an action", () => {
  it("is read and deleted by its number, which is never reused", async () => {
    const name = unique("action");
    await client.putFlowAction({ body: { name, targets: [email] } });
    const [stored] = await named(name);
    const actionNumber = stored?.number ?? 0;
    expect((await client.getAction({ actionNumber })).body).toEqual(stored);
    expect((await client.deleteAction({ actionNumber })).body).toBe("OK");
    await expectRefusal(client.getAction({ actionNumber }), 404, NO_ACTION);
    await expectRefusal(client.deleteAction({ actionNumber }), 404, NO_ACTION);
    await client.putFlowAction({ body: { name, targets: [email] } });
    expect((await named(name))[0]?.number).toBeGreaterThan(actionNumber);
  });
});

describe("an environment notification", () => {
  it("is the same record under its older path", async () => {
    const name = unique("action");
    const body = {
      name,
      targets: [webhook],
      environments: ["prod"],
      triggers: ["ON_EXITED_ARTIFACT" as const],
    };
    const put = () => client.putEnvironmentNotification({ body });
    expect([(await put()).status, (await put()).status]).toEqual([201, 200]);
    const [action] = await named(name);
    const notificationNumber = action?.number ?? 0;
    const { body: stored } = await client.getEnvironmentNotification({ notificationNumber });
    expect(stored).toMatchObject({ name, type: "env", number: notificationNumber, environments: ["prod"] });
    expect(stored).not.toHaveProperty("flows");
    const listed = (await client.listEnvironmentNotifications({})).body;
    expect(listed.find(({ number }) => number === notificationNumber)).toEqual(stored);
  });

  it("is replaced by its number, its name included", async () => {
    const notificationNumber = await storedNotification();
    const name = unique("renamed");
    const reply = await client.updateEnvironmentNotification({
      notificationNumber,
      body: { name, targets: [slack], environments: [], triggers: [] },
    });
    expect([reply.status, reply.body]).toEqual([200, "OK"]);
    expect((await client.getEnvironmentNotification({ notificationNumber })).body.name).toBe(name);
  });

  it("is deleted once", async () => {
    const notificationNumber = await storedNotification();
    const remove = () => client.deleteEnvironmentNotification({ notificationNumber });
    const reply = await remove();
    expect([reply.status, reply.body]).toEqual([200, "OK"]);
    await expectRefusal(remove(), 404, NO_ACTION);
    await expectRefusal(client.getEnvironmentNotification({ notificationNumber }), 404, NO_ACTION);
    const body = { name: unique("x"), targets: [email], environments: [], triggers: [] };
    await expectRefusal(client.updateEnvironmentNotification({ notificationNumber, body }), 404, NO_ACTION);
  });

  it("is not found by the number of a flow action, or by an invalid number", async () => {
    const name = unique("action");
    await client.putFlowAction({ body: { name, targets: [email] } });
    const notificationNumber = (await named(name))[0]?.number ?? 0;
    await expectRefusal(client.getEnvironmentNotification({ notificationNumber }), 404, NO_ACTION);
    const { status } = await ask("getEnvironmentNotification", { params: { notification_number: "x" } });
    expect(status).toBe(400);
  });
});

/** Refused for every kind of action. */
const INVALID_ACTIONS: readonly InvalidBody[] = [
  [{ name: undefined }, "name", REQUIRED],
  [{ targets: undefined }, "targets", REQUIRED],
  [{ targets: [] }, "targets", "List should have at least 1 item"],
  [{ targets: [{ type: "PIGEON" }] }, "targets[0].type", "Input should be 'SLACK', 'WEBHOOK' or 'EMAIL'"],
  [
    { targets: [{ type: null, emails: email.emails }] },
    "targets[0].type",
    "Input should be 'SLACK', 'WEBHOOK'",
  ],
  [{ targets: [{}] }, "targets[0].type", ""],
  [{ targets: [{ emails: ["x"] }] }, "targets[0].type", ""],
  [{ targets: [{ ...email, type: undefined, webhook: webhook.webhook }] }, "targets[0].type", ""],
  [{ targets: [{ type: "EMAIL" }] }, "targets[0].emails", REQUIRED],
  [{ targets: [{ type: "EMAIL", emails: ["x"] }] }, "targets[0].emails[0]", "Input should be a valid email"],
  [{ targets: [{ type: "WEBHOOK" }] }, "targets[0].webhook", REQUIRED],
  [{ targets: [{ type: "WEBHOOK", webhook: "x" }] }, "targets[0].webhook", "Input should be a valid URL"],
  [
    { targets: [{ ...webhook, payload_version: "2.0" }] },
    "targets[0].payload_version",
    "Input should be '1.0'",
  ],
  [{ targets: [{ ...webhook, other: 1 }] }, "targets[0].other", EXTRA],
  [
    { targets: [{ ...slack, context: { channel_id: "c", channel_name: "n" } }] },
    "targets[0].context.team_id",
    REQUIRED,
  ],
  [{ other: 1 }, "other", EXTRA],
];
const INVALID_NOTIFICATIONS: readonly InvalidBody[] = [
  ...INVALID_ACTIONS,
  [{ environments: undefined }, "environments", REQUIRED],
  [{ triggers: undefined }, "triggers", REQUIRED],
  [{ triggers: ["ON_RELEASE"] }, "triggers[0]", "Input should be 'ON_STARTED_ARTIFACT'"],
  [{ type: "flow" }, "type", "Input should be 'env'"],
];
invalidBodies(target, "putFlowAction", () => flowAction(), INVALID_ACTIONS);
invalidBodies(target, "putEnvironmentAction", () => envAction(), INVALID_NOTIFICATIONS);
invalidBodies(
  target,
  "putEnvironmentNotification",
  () => envAction(),
  INVALID_NOTIFICATIONS,
  "Invalid notification payload",
);
const params = { notification_number: await storedNotification() };
invalidBodies(
  target,
  "updateEnvironmentNotification",
  () => ({ params, ...envAction() }),
  INVALID_NOTIFICATIONS,
  "Invalid notification payload",
);

describe.each([
  ["putFlowAction", flowAction],
  ["putOrganizationAction", flowAction],
  ["putEnvironmentAction", envAction],
  ["putEnvironmentNotification", envAction],
] as const satisfies readonly (readonly [OperationName, unknown])[])("%s", (operation, make) => {
  namePattern(target, operation, "name", { within: ".-_~/", never: ":%,", plainStart: true }, (build) =>
    make(build(unique("action"))),
  );

  it("never repeats the address of a refused webhook", async () => {
    const secret = unique("secret");
    const body = { ...make().body, targets: [{ type: "WEBHOOK", webhook: `ftp://hooks.example/${secret}` }] };
    const answer = await ask(operation, { body });
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).not.toContain(secret);
  });
});
