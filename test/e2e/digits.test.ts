import { expect, test } from "vitest";
import { startJob } from "./workspace.ts";

const WRITTEN = '{"version":1.10,"id":9007199254740993,"list":[1.0,1e3,{"zero":0.0}]}';
const YAML = "{version: 1.10, id: 9007199254740993, list: [1.0, 1e3, {zero: 0.0}]}";

/** The service's response, byte for byte. */
async function answered({ address, apiKey }: Awaited<ReturnType<typeof startJob>>, path: string) {
  const headers = { authorization: `Bearer ${apiKey}` };
  return await (await fetch(`${address}/api/v2/${path}`, { headers })).text();
}

test("numbers in user data are returned as they were written, whatever path they took", async () => {
  await using job = await startJob();
  const steps: [action: string, inputs: Record<string, string>][] = [
    ["attest", { name: "given", compliant: "true", "user-data": WRITTEN }],
    ["attest", { name: "file", compliant: "true", "user-data": "data.json" }],
    ["attest", { manifest: "evidence.yml" }],
    ["attest", { name: "custom", kind: "custom", "type-name": "coverage", data: WRITTEN }],
    ["attest", { name: "typed", kind: "junit", data: "junit.json", "user-data": WRITTEN }],
    ["begin-trail", { trail: "t2", template: "template.yml", "user-data": WRITTEN }],
    [
      "attest",
      {
        name: "spooled",
        compliant: "true",
        "user-data": WRITTEN,
        "on-unavailable": "spool",
        "base-url": "http://127.0.0.1:9",
        retries: "0",
      },
    ],
    // The service is up again, and the step first sends spooled submissions.
    ["attest", { name: "later", compliant: "true", "user-data": WRITTEN, "on-unavailable": "spool" }],
  ];
  await job.client.createCustomAttestationType({ body: { name: "coverage" } });
  await job.write("data.json", WRITTEN);
  await job.write("template.yml", "version: 1\n");
  await job.write("evidence.yml", `- name: listed\n  compliant: "true"\n  user-data: ${YAML}\n`);
  await job.write(
    "junit.json",
    '[{"name": "s", "failures": 0, "errors": 0, "skipped": 0, "total": 1, "duration": 1.50}]',
  );
  for (const [action, inputs] of steps) {
    const { outcome, log } = await job.step(
      action,
      action === "attest" ? { trail: "t1", ...inputs } : inputs,
    );
    expect(outcome, log).toBe("success");
  }
  const list = await answered(job, "attestations/acme/web?per_page=50");
  expect(list.split(`"user_data":${WRITTEN}`).length - 1, list).toBe(6);
  expect(list.split(`"attestation_data":${WRITTEN}`).length - 1, list).toBe(1);
  expect(list).toContain('"duration":1.5');
  expect(await answered(job, "trails/acme/web/t2")).toContain(`"user_data":${WRITTEN}`);
});
