import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { listActions, requireAction } from "../../../src/service/delivery/rules/records.ts";
import { planOf } from "../query-plan.ts";
import { expectRefusal, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeEach(async () => {
  await service?.dispose();
  service = await startTestService();
});
afterAll(() => service.dispose());

const slack = { type: "SLACK", webhook: "https://hooks.slack.com/services/T/B/x" };
const webhook = { type: "WEBHOOK", webhook: "https://x.example/h" };
const LONG_ADDRESS = `${"a".repeat(65)}@example.org`;
const email = { type: "EMAIL", emails: ["a@example.org"] };

const ACTIONS = `/actions/${ORG}`;
const NOTIFICATIONS = `/organizations/${ORG}/environments_notifications`;
const get = (path: string) => send(service, { path });
const put = (path: string, json: unknown) => send(service, { method: "PUT", path, json });
const remove = (path: string) => send(service, { method: "DELETE", path });

const flowAction = (name: string, more: object = {}) => ({ name, targets: [slack], ...more });
const environmentAction = (name: string, more: object = {}) => ({
  name,
  targets: [slack],
  environments: ["prod"],
  triggers: ["ON_STARTED_ARTIFACT"],
  ...more,
});

it("readers see no whole address of a mail or a webhook through any endpoint", async () => {
  const emails = ["ada.lovelace@example.org", "b@example.org"];
  const targets = [{ type: "EMAIL", emails }, slack];
  await put(`${ACTIONS}/flows`, flowAction("flow", { targets }));
  await put(`${ACTIONS}/environments`, environmentAction("env", { targets }));
  const paths = [ACTIONS, `${ACTIONS}/1`, `${ACTIONS}/2`, NOTIFICATIONS, `${NOTIFICATIONS}/2`];
  for (const path of paths) {
    const seenBy = async (role: "reader" | "member") =>
      (await send(service, { path, key: service.keys[role] })).text;
    expect([path, await seenBy("member")]).toEqual([
      path,
      expect.stringContaining("ada.lovelace@example.org"),
    ]);
    const seen = await seenBy("reader");
    expect([path, seen]).toEqual([path, expect.stringContaining('["a…@example.org","…@example.org"]')]);
    for (const hidden of ["lovelace", "b@example.org", "services/T"]) expect(seen).not.toContain(hidden);
  }
});

it("the operator limits the number of rules, and existing ones can still be changed", async () => {
  const limited = await startTestService({ maxRules: 2 });
  try {
    const put = (json: object, path = "flows") =>
      send(limited, { method: "PUT", path: `${ACTIONS}/${path}`, json });
    expect((await put(flowAction("one"))).status).toBe(201);
    expect((await put(environmentAction("two"), "environments")).status).toBe(201);
    const message =
      "An organization can have at most 2 notification rules: delete one, or ask the operator to raise --max-rules";
    expect(await put(flowAction("three"))).toMatchObject({ status: 400, body: { message } });
    expect((await put(environmentAction("two"), "environments")).status).toBe(200);
  } finally {
    await limited.dispose();
  }
});

describe("flow notification rules", () => {
  it("without flows and triggers apply to all of them", async () => {
    await pipeline(service).action(flowAction("all"));
    expect((await get(`${ACTIONS}/1`)).body).toMatchObject({ flows: [], triggers: [] });
  });
});

describe("notification rules of flows and environments", () => {
  it("show each target as stored, without the delivery fields of the request", async () => {
    const context = { channel_id: "C1", channel_name: "ops", team_id: "T1" };
    const targets = [{ ...slack, context, last_success_at: 5 }, webhook, email];
    await put(`${ACTIONS}/environments`, environmentAction("a", { targets }));
    const never = { last_success_at: null, last_failure_at: null };
    expect((await get(`${ACTIONS}/1`)).body.targets).toEqual([
      { ...slack, context, ...never },
      { ...webhook, payload_version: "1.0", ...never },
      { ...email, ...never },
    ]);
  });

  it("share their numbers, and a number is not reused", async () => {
    const { action } = pipeline(service);
    await action(flowAction("one"));
    await put(`${ACTIONS}/environments`, environmentAction("one"));
    await put(NOTIFICATIONS, environmentAction("three"));
    expect(await remove(`${ACTIONS}/3`)).toMatchObject({ status: 200, body: "OK" });
    await action(flowAction("four"));
    const listed = (await get(ACTIONS)).body.map((each: { number: number; type: string }) => [
      each.number,
      each.type,
    ]);
    expect(listed).toEqual([
      [1, "flow"],
      [2, "env"],
      [4, "flow"],
    ]);
  });

  it("of another organization are not found", async () => {
    await pipeline(service).action(flowAction("one"));
    const path = "/actions/rival/1";
    expectRefusal(await send(service, { path, key: service.keys.stranger }), 404, "Action not found");
  });

  it("accept only PUT on the paths of their types", async () => {
    for (const method of ["GET", "POST", "DELETE"]) {
      const { status, headers } = await send(service, { method, path: `${ACTIONS}/flows` });
      expect([method, status, headers["allow"]]).toEqual([method, 405, "PUT"]);
    }
  });
});

describe("environment notifications", () => {
  it("are the environment rules under an older path", async () => {
    await pipeline(service).action(flowAction("a"));
    expect(await put(NOTIFICATIONS, environmentAction("a"))).toMatchObject({ status: 201, body: "OK" });
    expect(await put(`${ACTIONS}/environments`, environmentAction("a"))).toMatchObject({ status: 200 });
    const { body } = await get(NOTIFICATIONS);
    expect(body).toEqual([
      {
        name: "a",
        type: "env",
        number: 2,
        environments: ["prod"],
        triggers: ["ON_STARTED_ARTIFACT"],
        targets: [{ ...slack, context: null, last_success_at: null, last_failure_at: null }],
        created_by: "member",
        is_created_from_slack_app: false,
        is_failing: null,
        last_success_timestamp: null,
        last_failure_timestamp: null,
        created_at: service.clock.time,
        last_modified_at: service.clock.time,
      },
    ]);
    expect((await get(`${NOTIFICATIONS}/2`)).body).toEqual(body[0]);
  });

  it("cannot take the name of another rule, and the error names its owner", async () => {
    await put(NOTIFICATIONS, environmentAction("a"));
    await put(NOTIFICATIONS, environmentAction("b"));
    const answer = await put(`${NOTIFICATIONS}/2`, environmentAction("a"));
    expectRefusal(answer, 400, "Invalid notification payload");
    expect(answer.body.errors).toEqual({ name: "Action 1 has this name [input: a]" });
  });

  it.each([
    ["POST", NOTIFICATIONS],
    ["PATCH", `${NOTIFICATIONS}/1`],
  ])("do not accept %s on %s", async (method, path) => {
    expect((await send(service, { method, path, json: {} })).status).toBe(405);
  });
});

describe("the address of a target", () => {
  const address = "https://hooks.example:8443/services/T0/B0/s3cr3tS3CR3Tabcd";
  const short = "https://hooks.example/x1";
  const targets = [
    { type: "SLACK", webhook: address },
    { type: "WEBHOOK", webhook: `${address}?token=t0kenT0KENefgh` },
    { type: "WEBHOOK", webhook: short },
    email,
  ];
  const paths = [ACTIONS, `${ACTIONS}/1`, `${ACTIONS}/2`, NOTIFICATIONS, `${NOTIFICATIONS}/2`];
  const shownTo = async (key: string) => {
    const answers = [];
    for (const path of paths) answers.push(await send(service, { path, key }));
    const found = answers.flatMap(({ body }) => body).flatMap((each) => each.targets);
    return { text: answers.map(({ text }) => text).join("\n"), found };
  };
  beforeEach(async () => {
    await pipeline(service).action(flowAction("a", { targets }));
    await put(`${ACTIONS}/environments`, environmentAction("b", { targets }));
  });

  it.each(["reader", "snapshotter"] as const)("is host and last four characters to a %s", async (role) => {
    const { text, found } = await shownTo(service.keys[role]);
    for (const secret of ["pass", "s3cr3t", "T0", "t0ken", "x1"]) expect(text).not.toContain(secret);
    // Six rules are returned, with four targets each.
    expect(found.map(({ webhook }) => webhook)).toEqual(
      Array(6)
        .fill([
          "hooks.example:8443/\u2026abcd",
          "hooks.example:8443/\u2026efgh",
          "hooks.example/\u2026",
          undefined,
        ])
        .flat(),
    );
    expect(found.at(-1)).toMatchObject({ ...email, emails: ["\u2026@example.org"] });
  });

  it.each(["member", "admin"] as const)("is complete to a %s, who may change it", async (role) => {
    const { found } = await shownTo(service.keys[role]);
    expect(found.map(({ webhook }) => webhook)).toEqual(
      Array(6)
        .fill(targets.map((target) => ("webhook" in target ? target.webhook : undefined)))
        .flat(),
    );
  });

  it("cannot be overwritten by the shortened form", async () => {
    const [{ webhook: shown }] = (await shownTo(service.keys.reader)).found;
    const { status } = await put(
      `${ACTIONS}/flows`,
      flowAction("a", { targets: [{ ...slack, webhook: shown }] }),
    );
    expect(status).toBe(400);
  });
});

describe("a notification rule is refused", () => {
  const bad = environmentAction;
  it.each([
    ["without a name", { name: undefined }, "name", "Field required [input: None]"],
    [
      "with a name that starts with a slash",
      bad("/a"),
      "name",
      "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\-_.~/]*$' [input: /a]",
    ],
    [
      "without targets",
      bad("a", { targets: [] }),
      "targets",
      "List should have at least 1 item after validation, not 0 [input: [...]]",
    ],
    ["without environments", { environments: undefined }, "environments", "Field required [input: None]"],
    ["without triggers", { triggers: undefined }, "triggers", "Field required [input: None]"],
    [
      "with a trigger of flows",
      bad("a", { triggers: ["ON_RELEASE"] }),
      "triggers[0]",
      "Input should be 'ON_STARTED_ARTIFACT', 'ON_EXITED_ARTIFACT', 'ON_SCALED_ARTIFACT', 'ON_ALLOWED_ARTIFACT', 'ON_NON_COMPLIANT_ENV' or 'ON_COMPLIANT_ENV' [input: ON_RELEASE]",
    ],
    ["as one of flows", bad("a", { type: "flow" }), "type", "Input should be 'env' [input: flow]"],
    [
      "with unknown fields",
      bad("a", { flows: [] }),
      "flows",
      "Extra inputs are not permitted [input: [...]]",
    ],
    [
      "with a target that has fields of another type",
      bad("a", { targets: [{ ...email, webhook: "https://x.example" }] }),
      "targets[0].webhook",
      "Extra inputs are not permitted",
    ],
    [
      "with a webhook that is not a web address, without repeating it",
      bad("a", { targets: [{ ...webhook, webhook: "hooks.example/T0P-S3CRET" }] }),
      "targets[0].webhook",
      "Input should be a valid URL",
    ],
    [
      "with an invalid email address",
      bad("a", { targets: [{ ...email, emails: ["a@example.org", "b"] }] }),
      "targets[0].emails[1]",
      "Input should be a valid email address [input: b]",
    ],
  ])("%s", async (_, wrong, field, text) => {
    const sent = { ...environmentAction("a"), ...wrong };
    const action = await put(`${ACTIONS}/environments`, sent);
    expectRefusal(action, 400, "Input payload validation failed");
    expect(action.body.errors).toEqual({ [field]: text });
    for (const path of [NOTIFICATIONS, `${NOTIFICATIONS}/1`]) {
      const notification = await put(path, sent);
      expectRefusal(notification, 400, "Invalid notification payload");
      expect(notification.body.errors).toEqual({ [field]: text });
    }
    expect((await get(ACTIONS)).body).toEqual([]);
    expect(service.logged.join("\n")).not.toContain("S3CRET");
  });

  it("with more targets than one event supports", async () => {
    const emails = Array.from({ length: 100 }, (_, index) => `a${index}@example.org`);
    const action = { ...environmentAction("a"), targets: [{ ...email, emails }] };
    expect((await put(`${ACTIONS}/environments`, action)).status).toBe(201);
    action.targets.push({ ...email, emails: ["one-more@example.org"] });
    const refused = await put(`${ACTIONS}/environments`, action);
    expectRefusal(refused, 400, "Input payload validation failed");
    expect(refused.body.errors).toEqual({
      targets:
        "A rule can have at most 100 targets, got 101. Each email address counts as one: use a mailing list",
    });
  });

  it("with an email address whose local part is longer than mail servers accept", async () => {
    const refused = await put(`${ACTIONS}/environments`, {
      ...environmentAction("a"),
      targets: [{ ...email, emails: ["a@example.org", LONG_ADDRESS] }],
    });
    expectRefusal(refused, 400, "Input payload validation failed");
    expect(refused.body.errors).toEqual({
      "targets[0].emails[1]": `Input should be a valid email address [input: ${LONG_ADDRESS}]`,
    });
  });
});

it("notification rules are found by an index", async () => {
  const plan = await planOf(service.dataFolder, async (db) => {
    await listActions(db, { orgId: "o", type: "env" });
    await listActions(db, { orgId: "o" });
    await requireAction(db, { orgId: "o", number: 1 }).catch(() => undefined);
  });
  expect(plan.length).toBeGreaterThan(2);
  expect(plan.filter((step) => !step.startsWith("SEARCH actions USING INDEX"))).toEqual([]);
});
