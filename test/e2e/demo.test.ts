import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { Agent, request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { startReceiver } from "../../scripts/demo/receiver.ts";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { signedHeaders } from "../../src/service/delivery/outgoing/signature.ts";

const DEMO = fileURLToPath(new URL("../../scripts/demo.ts", import.meta.url));

// In test/postgres, the demo runs without --keep and ends by itself.
test("the gate fails, then passes, and with --keep the service runs until it is interrupted", async () => {
  const demo = spawn(process.execPath, [DEMO, "--keep"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const complaints = text(demo.stderr);
  let shown = "";
  for await (const chunk of demo.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    shown += chunk;
    if (shown.endsWith("\nPress Ctrl-C to stop it and delete its records.\n")) break;
  }
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
  const [told, baseUrl = "", apiKey = ""] = /Open (\S+)\/ and sign in with this key: (\S+)/.exec(shown) ?? [];
  expect(shown.replace(told ?? "", "")).not.toMatch(/\bde_[A-Za-z0-9_-]{20}/);

  const client = new EvidenceClient({ baseUrl, org: "acme", apiKey });
  const { body } = await client.listRepos({});
  await client.close();
  expect(body.repos.map(({ name }) => name)).toEqual(["acme/greeter"]);
  demo.kill("SIGINT");
  expect([await once(demo, "close"), await complaints]).toEqual([[0, null], ""]);
});

// In test/postgres, a failed demo prints the reason and ends with status 1.
test("the demo's receiver fails with the reason when the event is changed in transit", async () => {
  await using receiver = await startReceiver();
  const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
  const body = '{"state":"COMPLIANT"}';
  const timestamp = Math.floor(Date.now() / 1000);
  const headers = signedHeaders({ id: "msg_1", timestamp, body, secrets: [secret] });
  const dispatcher = new Agent();
  onTestFinished(() => dispatcher.destroy());
  for (const sent of [body, body.replace("COMPLIANT", "NON-COMPLIANT")]) {
    await request(receiver.address, { method: "POST", headers, body: sent, dispatcher });
  }
  expect(await receiver.next(secret)).toEqual({ id: "msg_1", event: { state: "COMPLIANT" } });
  await expect(receiver.next(secret)).rejects.toThrow(
    /^The delivery to http:\S+ could not be verified: No signature .+$/,
  );
});

test("the demo's receiver fails with the reason when the event is lost", async () => {
  await using receiver = await startReceiver(0.1);
  await expect(receiver.next("")).rejects.toThrow(/^Nothing was delivered to http:\S+ within 0\.1 s$/);
});
