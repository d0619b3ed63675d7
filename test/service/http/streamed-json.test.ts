import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, expect, it, vi } from "vitest";
import { pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService | undefined;
afterEach(async () => {
  vi.restoreAllMocks();
  await service?.dispose();
});

it("a response that fails while it is sent is cut, and a log line has the reason", async () => {
  service = await startTestService();
  const flows = pipeline(service);
  await flows.environment("prod");
  const pods = Array.from({ length: 2_000 }, (_, i) => ({
    podName: `pod-${i}`,
    namespace: "prod",
    digests: { [`image-${String(i).padStart(4, "0")}`]: i.toString(16).padStart(64, "0") },
    creationTimestamp: 1_780_000_000,
  }));
  await flows.report("prod", pods);
  const database = new DatabaseSync(join(service.dataFolder, "evidence.sqlite"));
  database.exec("update running_intervals set instances = 'broken' where name = 'image-1700'");
  database.close();
  const printed = [vi.spyOn(console, "error"), vi.spyOn(console, "info")];

  const { logged } = service;
  const headers = { "x-request-id": "r1" };
  await expect(send(service, { path: `/snapshots/${ORG}/prod/-1`, headers })).rejects.toThrow();
  expect(logged.filter((line) => line.includes("=r1 "))).toEqual([
    expect.stringMatching(/ 200 [\d.]+ ms \S+ client-request=r1 from=127\.0\.0\.1 account=\S+ key=\S+$/),
    expect.stringMatching(
      / 200 .* client-request=r1 from=.*Error: The response was interrupted.*SyntaxError/,
    ),
  ]);
  for (const print of printed) expect(print).not.toHaveBeenCalled();
  expect((await send(service, { path: `/repos/${ORG}` })).status).toBe(200);
});
