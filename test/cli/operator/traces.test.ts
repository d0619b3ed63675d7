import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { runProgram, serveProgram } from "../program.ts";

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "evidence-traces-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

test("the service sends the last traces before it stops", async () => {
  const received: string[] = [];
  const collector = createServer(async (incoming, outgoing) => {
    received.push(`${incoming.url} ${await text(incoming)}`);
    outgoing.end("{}");
  });
  await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => collector.close(() => resolve())));
  const { port } = collector.address() as AddressInfo;
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`, OTEL_SERVICE_NAME: "evidence" };
  const service = await serveProgram(["--data", join(await newFolder(), "data")], { env });
  const { statusCode, body } = await request(`${service.address}/api/v2/flows/acme`);
  await body.dump();
  expect(statusCode).toBe(401);
  expect(await service.stop()).toBe(0);
  expect(received).toEqual([expect.stringMatching(/^\/v1\/traces .*"evidence".*"name":"listFlows"/)]);
});

test("a variable with an unusable value is refused", async () => {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: "127.0.0.1:4318" };
  const { status, stderr } = runProgram(["serve", "--data", join(await newFolder(), "data")], { env });
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining("OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https address"),
  ]);
});
