import { expect, test } from "vitest";
import { withoutMasks } from "./left-behind.ts";
import { runSample, sampleOf } from "./samples.ts";

const TOKEN = "abcdefghijklmnopqrstuvwx";

test("a secret in the output of a dry run is masked", async () => {
  const hook = `https://hooks.slack.example/services/T0/B0/${TOKEN}`;
  const inputs = { "slack-webhooks": hook, "dry-run": "true", region: "eu" };
  const step = await runSample(sampleOf("set-flow-action"), { inputs });
  expect(step.stdout).toContain('"webhook": "***"');
  expect(withoutMasks(step.stdout)).not.toContain(TOKEN);
  const body = JSON.stringify({ name: "tell", targets: [{ type: "SLACK", webhook: hook }] });
  const root = { ...sampleOf("root"), inputs: { operation: "putFlowAction" } };
  const same = await runSample(root, { inputs: { body, "dry-run": "true", region: "eu" } });
  expect(same.stdout).toContain('"webhook": "***"');
  expect(withoutMasks(same.stdout)).not.toContain(TOKEN);
});
