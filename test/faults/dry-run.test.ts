import { expect, test } from "vitest";
import { tcpServer } from "../api/local-server.ts";
import { replaySample } from "./replays.ts";
import { each, runSample, SAMPLES, sampleOf, WRITERS } from "./samples.ts";
import { annotations } from "./step.ts";

const TOKEN = "abcdefghijklmnopqrstuvwx";

test("a dry run of every action makes no request, and only the gate fails by it", async () =>
  each([...SAMPLES, await replaySample()], async (sample) => {
    const server = await tcpServer((socket) => socket.destroy());
    const step = await runSample(sample, { baseUrl: server.url, inputs: { "dry-run": "true" } });
    expect(server.connections()).toBe(0);
    expect(step.stderr).toBe("");
    if (sample.name === "assert-artifact") {
      expect(step).toMatchObject({ status: 1, outputs: { compliant: "false" } });
    } else {
      expect(annotations(step.stdout)).toEqual([]);
      expect(step.status).toBe(0);
    }
  }));

test("what a write would have sent is printed in a dry run", () =>
  each(WRITERS, async (sample) => {
    const step = await runSample(sample, { inputs: { "dry-run": "true" } });
    expect(step.stdout).toMatch(/^::group::Dry run: \w+ would be sent\n\{\n {2}"\w+": /m);
  }));

test("a secret in it is masked", async () => {
  const hook = `https://hooks.slack.example/services/T0/B0/${TOKEN}`;
  const inputs = { "slack-webhooks": hook, "dry-run": "true" };
  const step = await runSample(sampleOf("set-flow-action"), { inputs });
  expect(step.stdout).toContain('"webhook": "***"');
  expect(step.stdout.replace(/^::add-mask::.*$/gm, "")).not.toContain(TOKEN);
  const body = JSON.stringify({ name: "tell", targets: [{ type: "SLACK", webhook: hook }] });
  const root = { ...sampleOf("root"), inputs: { operation: "putFlowAction" } };
  const same = await runSample(root, { inputs: { body, "dry-run": "true" } });
  expect(same.stdout).toContain('"webhook": "***"');
  expect(same.stdout.replace(/^::add-mask::.*$/gm, "")).not.toContain(TOKEN);
});
