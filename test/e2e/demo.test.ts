import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { EvidenceClient } from "../../src/api/client/client.ts";

const BROKEN_RECEIVER = new URL("broken-receiver.ts", import.meta.url).href;
const DEMO = fileURLToPath(new URL("../../scripts/demo.ts", import.meta.url));

test("the demo's gate fails, then passes, and the demo ends with 0", async () => {
  const demo = spawn(process.execPath, [DEMO], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [shown, complaints, [status]] = await Promise.all([
    text(demo.stdout),
    text(demo.stderr),
    once(demo, "close"),
  ]);
  expect({ status, complaints }).toEqual({ status: 0, complaints: "" });
  expect(shown).toContain("attestation 'unit-test' (generic) is missing in flow 'greeter'");
  expect(shown.indexOf("❌ Artifact is not compliant")).toBeLessThan(
    shown.indexOf("✅ Artifact is compliant"),
  );
  expect(shown).toContain("junit.xml, test.log");
  expect(shown).toContain("snapshot #1 created");
  expect(shown).toContain("Created notification rule 'tell-the-team'.");
  expect(shown).toMatch(/Delivered to \S+, signature verified\n+webhook-id: \S+\nsequence: 1\n/);
  expect(shown).toContain("type: attestation.recorded");
  expect(shown).not.toMatch(/\bwhsec_[A-Za-z0-9+/]{8}/);
  expect(shown).not.toMatch(/\bde_[A-Za-z0-9_-]{20}/);
});

test.each([
  ["lost", /^The demo failed: Nothing was delivered to http:\S+ within 10 s\n$/],
  ["changed", /^The demo failed: The delivery to http:\S+ could not be verified: No signature .+\n$/],
])("the demo fails with the reason when the event is %s in transit", async (events, why) => {
  const demo = spawn(process.execPath, ["--import", BROKEN_RECEIVER, DEMO], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, EVENTS: events },
  });
  const ended = once(demo, "close");
  const [shown, complaints] = await Promise.all([text(demo.stdout), text(demo.stderr)]);
  expect({ status: await ended, complaints }).toEqual({
    status: [1, null],
    complaints: expect.stringMatching(why),
  });
  expect(shown).toContain("Step 9 of 9");
  expect(shown).not.toContain("Delivered");
});

test("with --keep the service runs with the printed key until it is interrupted", async () => {
  const demo = spawn(process.execPath, [DEMO, "--keep"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let found: RegExpExecArray | null = null;
  for await (const line of createInterface(demo.stdout)) {
    found = /Open (\S+)\/ and sign in with this key: (\S+)/.exec(line);
    if (found) break;
  }
  const [, baseUrl = "", apiKey = ""] = found ?? [];
  const client = new EvidenceClient({ baseUrl, org: "acme", apiKey });
  const { body } = await client.listRepos({});
  await client.close();
  expect(body.repos.map(({ name }) => name)).toEqual(["acme/greeter"]);
  demo.kill("SIGINT");
  expect(await once(demo, "close")).toEqual([0, null]);
});
