import { describe, expect, test } from "vitest";
import { verifyWebhook } from "../../src/api/resources/verify-webhook.ts";
import { startReceiver } from "../service/delivery/attempts/receiver.ts";
import { ORG, startTestService } from "../service/running-service.ts";
import { runBundle, runHere } from "./bundle-run.ts";
import { recordingServer } from "./recording-server.ts";

/** The service's response to a new flow action, with its number and its secret, which is shown only once. */
const stored = (name: string) => ({
  ...{ name, type: "flow", number: 7, targets: [], triggers: [], created_by: "ci" },
  ...{ is_created_from_slack_app: false, last_modified_at: 1 },
});
const target = { number: 1, kind: "webhook", address: "hooks.example/…abcd" };
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const shown = { status: 200, body: { secrets: [{ target, secret: SECRET }], public_key: "whpk_x" } };

const HOOK = "https://hooks.slack.example/services/T0/B0/s3cr3t";

describe("the set-flow-action bundle", () => {
  test("sends every kind of target", async () => {
    await using server = await recordingServer([
      { status: 201, body: "OK" },
      { status: 200, body: [{ ...stored("team/tell"), type: "env", number: 6 }, stored("team/tell")] },
      shown,
    ]);
    const run = await runBundle("set-flow-action", {
      server,
      inputs: {
        name: "team/tell",
        flows: "web, api",
        triggers: "ON_ATTESTATION\nON_APPROVAL",
        "slack-webhooks": HOOK,
        webhooks: "https://hooks.example/a,b",
        emails: "a@example.com, b@example.com",
      },
    });
    expect(run.snapshot).toMatchSnapshot();
    expect(run.outputs).toEqual({ created: "true", number: "7", secret: SECRET });
    expect(run.stdout).toContain(`::add-mask::${SECRET}`);
  });

  test("tests the targets, and fails when one rejects the example", async () => {
    const results = [
      { delivery_id: "a", target, delivered: true, outcome: "delivered", status: 204 },
      {
        delivery_id: "b",
        target: { ...target, number: 2 },
        delivered: false,
        outcome: "status_503",
        status: 503,
        answer: "busy",
      },
    ];
    await using server = await recordingServer([
      { status: 200, body: "OK" },
      { status: 200, body: [stored("n")] },
      { status: 200, body: { secrets: [], public_key: "whpk_x" } },
      { status: 200, body: "OK" },
      { status: 200, body: { results } },
    ]);
    const inputs = {
      name: "n",
      webhooks: "https://hooks.example/a",
      test: "true",
      "github-token": "ghp_t0ken",
    };
    const run = await runHere("set-flow-action", { server, inputs });
    expect(run).toMatchObject({ status: 1, outputs: { created: "false", number: "7", secret: "" } });
    expect(run.stdout).toContain("Target 2 (webhook, hooks.example/…abcd): status_503, response 503: busy");
    expect(run.stdout).not.toContain("Target 1");
    expect(run.stdout.replaceAll("::add-mask::ghp_t0ken", "")).not.toContain("ghp_t0ken");
    expect(server.requests.map((each) => each.split("\n")[0])).toEqual([
      "PUT /api/v2/actions/acme/flows",
      "GET /api/v2/actions/acme",
      "POST /api/v2/actions/acme/7/secret",
      "PUT /api/v2/actions/acme/7/token",
      "POST /api/v2/actions/acme/7/test",
    ]);
  });

  test("outputs the secret of a new webhook once, and its number each time", async () => {
    const service = await startTestService();
    try {
      const inputs = {
        ...{ name: "n", webhooks: "https://127.0.0.1:65535/hook", org: ORG },
        ...{ "base-url": service.address, "api-key": service.keys.member },
      };
      const first = await runHere("set-flow-action", { inputs });
      const secret = expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(first).toMatchObject({ status: 0, outputs: { created: "true", number: "1", secret } });
      expect(first.stdout).toContain(`::add-mask::${first.outputs["secret"]}`);
      const again = await runHere("set-flow-action", { inputs });
      expect(again).toMatchObject({ status: 0, outputs: { created: "false", number: "1", secret: "" } });
    } finally {
      await service.dispose();
    }
  });

  test("has the service send an example: fails while a target rejects it, and shows the target's response", async () => {
    const service = await startTestService();
    await using receiver = await startReceiver();
    receiver.answer = (_, answer) => answer.writeHead(503).end("closed until Monday");
    try {
      const run = (key: string) =>
        runHere("set-flow-action", {
          inputs: {
            ...{ name: "n", webhooks: `${receiver.address}/hook`, test: "true" },
            ...{ org: ORG, "base-url": service.address, "api-key": key },
          },
        });
      const said =
        /^::error title=The test of notification rule 'n' failed \(notification_rule\.test_failed\)::Target 1 \(webhook, \S+\): status_503, response 503(.*)$/m;
      const { member, admin } = service.keys;
      const refused = await run(member);
      expect(refused).toMatchObject({ status: 1, outputs: { created: "true", number: "1" } });
      expect(said.exec(refused.stdout)?.[1]).toBe("");
      expect(said.exec((await run(admin)).stdout)?.[1]).toBe(": closed until Monday");
      receiver.answer = (_, answer) => answer.end();
      const taken = await run(member);
      expect(taken).toMatchObject({ status: 0, outputs: { created: "false", number: "1" } });
      const secret = refused.outputs["secret"] ?? "";
      const events = receiver.received.map(({ headers, body }) => verifyWebhook(headers, body, secret));
      expect(events).toMatchObject(Array(3).fill({ test: true, type: "trail.started", org: ORG }));
    } finally {
      await service.dispose();
    }
  });

  test.each([404, 409])("continues without a secret where the service has none: %i", async (status) => {
    await using server = await recordingServer([
      { status: 201, body: "OK" },
      { status: 200, body: [stored("n")] },
      { status, body: { message: "no key" } },
    ]);
    const inputs = { name: "n", webhooks: "https://hooks.example/a" };
    const run = await runHere("set-flow-action", { server, inputs });
    expect(run).toMatchObject({ status: 0, outputs: { number: "7", secret: "" } });
    expect(run.stdout.includes("::warning")).toBe(status === 409);
  });

  test("outputs created=false when one of the same name was replaced", async () => {
    await using server = await recordingServer([
      { status: 200, body: "OK" },
      { status: 200, body: [stored("n")] },
    ]);
    const run = await runHere("set-flow-action", {
      server,
      inputs: { name: "n", emails: "a@example.com" },
    });
    expect(run).toMatchObject({ status: 0, outputs: { created: "false", number: "7", secret: "" } });
  });

  test("masks the addresses of webhooks, and shows a dry run without sending", async () => {
    await using server = await recordingServer([{ status: 201, body: "OK" }]);
    const inputs = { name: "n", "slack-webhooks": HOOK, "dry-run": "true" };
    const run = await runHere("set-flow-action", { server, inputs });
    expect(run.stdout.indexOf(`::add-mask::${HOOK}`)).toBeLessThan(run.stdout.indexOf("::group::Dry run"));
    expect(run.stdout).toContain(`::add-mask::${HOOK}\n`);
    expect(run).toMatchObject({ status: 0, outputs: { created: "" } });
    expect(server.requests).toEqual([]);
  });

  test.each([
    [
      "a name that begins with a dash",
      { name: "-x", emails: "a@example.com" },
      "name: must consist of letters, digits, hyphens, underscores, dots, tildes and slashes, and begin with a letter or digit, not '-x'",
    ],
    ["a name with a space", { name: "a b", emails: "a@example.com" }, "name: must consist of letters, "],
    ["no name", { emails: "a@example.com" }, "name: is required"],
    ["an unknown trigger", { name: "n", triggers: "ON_FOO", emails: "a@example.com" }, "not 'ON_FOO'"],
    ["no target", { name: "n" }, "set webhooks or emails instead"],
    [
      "an invalid address",
      { name: "n", emails: "a@example.com, nobody" },
      "emails: item 2 must be an email address, not 'nobody'",
    ],
  ])("rejects %s and sends nothing", async (_, inputs, said) => {
    await using server = await recordingServer([{ status: 201, body: "OK" }]);
    const run = await runHere("set-flow-action", { server, inputs });
    expect(run.status).toBe(1);
    expect(run.stdout).toContain(said);
    expect(server.requests).toEqual([]);
  });

  test("does not repeat an invalid webhook address", async () => {
    const run = await runHere("set-flow-action", {
      inputs: { name: "n", webhooks: "ftp://user:s3cr3t@x" },
    });
    expect(run.status).toBe(1);
    const printed = run.stdout.split("\n").filter((line) => !line.startsWith("::add-mask::"));
    expect(printed.join("\n")).not.toContain("s3cr3t");
  });
});
