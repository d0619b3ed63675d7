import { describe, expect, test } from "vitest";
import { httpServer, json, tcpServer } from "../api/local-server.ts";
import { contentService, expectFailure, expectSuccess, runSample, sampleOf } from "./samples.ts";
import { annotations } from "./step.ts";

const gate = sampleOf("assert-artifact");
const PASS = gate.answer("");
const FAILS = Object.assign({}, PASS, {
  compliant: false,
  scope: "environment",
  environment: "prod",
  policy_evaluations: [
    {
      policy_name: "prod",
      policy_version: 2,
      status: "NON-COMPLIANT",
      rule_evaluations: [
        {
          rule: {
            type: "attestation",
            definition: {
              if: null,
              name: "*",
              type: "decision",
              must_be_compliant: true,
              for_control: "CTL-1",
            },
          },
          satisfied: false,
          ignored: false,
          resolutions: [{ type: "missing_attestation", context: { flow_name: "web", trail_name: "v1" } }],
        },
      ],
    },
  ],
});

describe("the gate", () => {
  test("passes for compliant: true only", async () => {
    const server = await contentService(gate, 200);
    const step = await runSample(gate, { baseUrl: server.url });
    expectSuccess(gate, step);
    expect(step.outputs["compliant"]).toBe("true");
  });

  test("fails for compliant: false, and names the rule and its control", async () => {
    const server = await httpServer((response) => json(response, 200, FAILS));
    const step = await runSample(gate, { baseUrl: server.url });
    expectFailure(gate, step, "policy 'prod': the decision for control 'CTL-1' is missing");
    expect(JSON.parse(step.outputs["failures"] ?? "")).toEqual([
      expect.objectContaining({ policy: "prod", control: "CTL-1" }),
    ]);
  });

  const without = Object.assign({}, PASS, { compliant: undefined });
  const WRONG: readonly [string, number, string, string | RegExp][] = [
    ["with compliant as a string", 200, JSON.stringify({ ...without, compliant: "true" }), "'compliant'"],
    ["that is half a result", 200, '{"compliant":true,', "not JSON"],
    ["with an error status", 500, '{"message":"oops","compliant":true}', /^oops \(.*, status 500\)/],
  ];

  test.each(WRONG)("fails for a response %s, and shows the reason", async (_, status, body, expected) => {
    const server = await httpServer((response) =>
      response.writeHead(status, { "content-type": "application/json" }).end(body),
    );
    // fail-on-non-compliant does not apply: no response means no result.
    const inputs = { retries: "0", "fail-on-non-compliant": "false" };
    const step = await runSample(gate, { baseUrl: server.url, inputs });
    expectFailure(gate, step, expected);
    expect(step.outputs["compliant"]).toBe("false");
  });

  test("fails when the service does not respond, whatever fail-on-non-compliant says", async () => {
    const { url } = await tcpServer(() => {});
    const inputs = { timeout: "1", "fail-on-non-compliant": "false" };
    const step = await runSample(gate, { baseUrl: url, inputs });
    expectFailure(gate, step, "within 1 s");
    expect(step.outputs["compliant"]).toBe("false");
  });
});

describe("a flow action", () => {
  const sample = sampleOf("set-flow-action");
  const HOOK = "https://hooks.slack.example/services/T0123/B0123/abcdefghijklmnopqrstuvwx";

  test.each<[string, Record<string, string>, string]>([
    ["whose name has a space", { name: "a b" }, "name: must consist of letters, digits"],
    ["without a target", { emails: "" }, "set webhooks or emails instead"],
    [
      "whose address is not a web address",
      { webhooks: `ftp://hooks.example/${"s".repeat(20)}` },
      "webhooks, item 1: ",
    ],
  ])("%s is rejected before any request, and no address is shown", async (_, inputs, expected) => {
    const server = await contentService(sample);
    const step = await runSample(sample, { baseUrl: server.url, inputs });
    expectFailure(sample, step, expected);
    expect(server.received).toEqual([]);
    expect(step.stdout.replace(/^::add-mask::.*$/gm, "")).not.toContain("s".repeat(20));
  });

  test("makes one target of each input", async () => {
    const server = await contentService(sample);
    const inputs = { "slack-webhooks": HOOK, webhooks: "https://hooks.example/w" };
    expectSuccess(sample, await runSample(sample, { baseUrl: server.url, inputs }));
    const { targets } = JSON.parse(server.received[0]?.body.toString() ?? "{}");
    expect(targets).toEqual([
      { type: "SLACK", webhook: HOOK },
      { type: "WEBHOOK", webhook: "https://hooks.example/w" },
      { type: "EMAIL", emails: ["a@example.com"] },
    ]);
  });

  test("that the root action gives two kinds in one target is rejected", async () => {
    const root = sampleOf("root");
    const server = await contentService(sample);
    const target = { type: "SLACK", webhook: HOOK, emails: ["a@example.com"] };
    const body = JSON.stringify({ name: "tell", targets: [target] });
    const step = await runSample(root, { baseUrl: server.url, inputs: { operation: "putFlowAction", body } });
    expectFailure(root, step, "targets[0]");
    expect(step.stdout.replace(/^::add-mask::.*$/gm, "")).not.toContain("abcdefghijklmnopqrstuvwx");
    expect(server.received).toEqual([]);
  });

  test("whose address the service echoes is masked in the service's message", async () => {
    const message = `cannot reach ${HOOK} (token abcdefghijklmnopqrstuvwx)`;
    const server = await httpServer((response) => json(response, 400, { message }));
    const step = await runSample(sample, { baseUrl: server.url, inputs: { "slack-webhooks": HOOK } });
    expectFailure(sample, step, "cannot reach *** (token ***)");
    expect(annotations(step.stdout)[0]).not.toContain("abcdefghijklmnopqrstuvwx");
  });
});
