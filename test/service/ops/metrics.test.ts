import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { AggregatorRegistry } from "prom-client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { isDirectAndLocal } from "../../../src/service/http/metrics-answer.ts";
import { makeMetrics, observedAttachments } from "../../../src/service/ops/metrics.ts";
import { startService } from "../../../src/service/service.ts";
import { openStore } from "../../../src/service/store/sqlite/open-store.ts";
import { attachmentsIn } from "../opened-attachments.ts";
import { pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

/** Sends a request with any headers, including the host. */
async function get(address: string, headers: Record<string, string> = {}) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; body: string }>();
  httpRequest(address, { headers, agent: false }, async (answer) =>
    resolve({ status: answer.statusCode, body: await text(answer) }),
  )
    .on("error", reject)
    .end();
  return await promise;
}

/** The values of a metric, by its labels as written. */
function valuesOf(metrics: string, name: string): Record<string, number> {
  const lines = metrics.split("\n").map((line) => /^(\w+)(\{.*\})? (\S+)$/.exec(line));
  return Object.fromEntries(
    lines.flatMap((line) => (line?.[1] === name ? [[line[2] ?? "", Number(line[3])]] : [])),
  );
}

describe("the metrics of a service", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ keyRate: 30 });
  });
  afterAll(() => service.dispose());
  const read = async () => (await get(`${service.address}/metrics`)).body;

  it("count requests by operation, method and status, never by text from senders", async () => {
    await send(service, { path: `/repos/${ORG}` });
    await send(service, { path: `/repos/${ORG}` });
    await send(service, { path: `/repos/${ORG}`, key: "wrong" });
    await send(service, { path: "/made-up/secret-name" });
    await send(service, { path: "/made-up", method: "PROPFIND" });
    const metrics = await read();
    expect(valuesOf(metrics, "evidence_http_request_duration_seconds_count")).toMatchObject({
      '{operation="listRepos",method="GET",status="200"}': 2,
      '{operation="listRepos",method="GET",status="401"}': 1,
      '{operation="none",method="GET",status="404"}': 1,
      '{operation="none",method="other",status="404"}': 1,
    });
    expect(metrics).not.toMatch(/made-up|secret-name|acme/);
    expect(valuesOf(metrics, "evidence_http_requests_in_flight")).toEqual({ "": 1 });
    expect(valuesOf(metrics, "evidence_build_info")).toEqual({ '{version="1.2.3",engine="sqlite"}': 1 });
  });

  it("count writes and the bytes of attachments", async () => {
    const before = await read();
    const trail = pipeline(service);
    await trail.artifact("web", "t1");
    const { status } = await send(service, {
      method: "POST",
      path: `/attestations/${ORG}/web/trail/t1/generic`,
      form: { attestation_name: "unit", is_compliant: true },
      files: [{ name: "log.txt", content: "0123456789" }],
    });
    expect(status).toBe(201);
    const metrics = await read();
    const grown = (name: string) => (valuesOf(metrics, name)[""] ?? 0) - (valuesOf(before, name)[""] ?? 0);
    expect(grown("evidence_attachment_received_bytes_total")).toBe(10);
    expect(grown("evidence_commit_duration_seconds_count")).toBeGreaterThan(0);
    expect(grown("evidence_write_batch_size_sum")).toBeGreaterThanOrEqual(
      grown("evidence_write_batch_size_count"),
    );
    expect(valuesOf(metrics, "evidence_write_queue_waiting")).toEqual({ "": 0 });
    const batches = grown("evidence_write_batch_size_count");
    expect(grown("evidence_commit_flush_seconds_count")).toBe(batches);
    expect(grown("evidence_write_lock_wait_seconds_count")).toBe(batches);
    expect(grown("evidence_write_queue_seconds_count")).toBe(grown("evidence_write_batch_size_sum"));
    expect(valuesOf(metrics, "evidence_attachment_duration_seconds_count")).toEqual({
      '{operation="put"}': 1,
    });
  });

  it("count the runs of jobs", async () => {
    await expect
      .poll(async () => valuesOf(await read(), "evidence_job_runs_total"))
      .toEqual({
        '{job="deliveries"}': 1,
        '{job="evaluations"}': 1,
        '{job="keys"}': 1,
        '{job="log"}': expect.any(Number),
        '{job="prune"}': 1,
        '{job="quiet-trails"}': 1,
        '{job="scim"}': 1,
        '{job="sessions"}': 1,
        '{job="sweep"}': 1,
        '{job="tokens"}': 1,
      });
    const metrics = await read();
    expect(valuesOf(metrics, "evidence_job_failures_total")).toEqual({
      '{job="deliveries"}': 0,
      '{job="evaluations"}': 0,
      '{job="keys"}': 0,
      '{job="log"}': 0,
      '{job="prune"}': 0,
      '{job="quiet-trails"}': 0,
      '{job="scim"}': 0,
      '{job="sessions"}': 0,
      '{job="sweep"}': 0,
      '{job="tokens"}': 0,
    });
    expect(Object.keys(valuesOf(metrics, "evidence_job_last_success_timestamp_seconds"))).toHaveLength(10);
  });

  it("count rejections by limit", async () => {
    for (let status = 200; status !== 429; ) {
      ({ status } = await send(service, { path: `/repos/${ORG}`, key: service.keys.reader }));
    }
    expect(valuesOf(await read(), "evidence_limit_hits_total")).toEqual({ '{limit="key_rate"}': 1 });
  });

  it("are each in the table of the documentation, and nothing else is", async () => {
    const page = await readFile(new URL("../../../docs/monitoring.md", import.meta.url), "utf8");
    const listed = [...page.matchAll(/^\| `(evidence_\w+)`/gm)].map(([, name]) => name);
    const exposed = [...(await read()).matchAll(/^# TYPE (evidence_\w+)/gm)].map(([, name]) => name);
    expect(listed.sort()).toEqual(exposed.sort());
    const [, block = ""] = /```yaml\n(scrape_configs:[\s\S]*?)```/.exec(page) ?? [];
    const { scrape_configs } = parse(block);
    expect(scrape_configs[0].metrics_path ?? "/metrics").toBe("/metrics");
    const [, port] = /:(\d+)$/.exec(scrape_configs[0].static_configs[0].targets[0]) ?? [];
    expect(page).toContain(`--metrics-port ${port}`);
  });
});

describe("the metrics are served", () => {
  const started: { close(): Promise<void> }[] = [];
  const folders: string[] = [];
  afterEach(async () => {
    for (const service of started.splice(0)) await service.close();
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  });
  async function start(more: Partial<Parameters<typeof startService>[0]> = {}) {
    const dataFolder = await mkdtemp(join(tmpdir(), "evidence-metrics-"));
    folders.push(dataFolder);
    const options = { dataFolder, host: "127.0.0.1", port: 0, version: "1", log: () => {} };
    const service = await startService({ ...options, ...more });
    started.push(service);
    return service;
  }

  it("on the service's own port to this machine only, and not through a proxy", async () => {
    const { address } = await start();
    expect((await get(`${address}/metrics`)).status).toBe(200);
    for (const headers of [
      { "x-forwarded-for": "192.0.2.1" },
      { forwarded: "for=192.0.2.1" },
      { via: "1.1 proxy" },
      { host: "evidence.example.org" },
    ]) {
      expect((await get(`${address}/metrics`, headers)).status, JSON.stringify(headers)).toBe(404);
    }
    const from = (remoteAddress: string) =>
      isDirectAndLocal({ socket: { remoteAddress }, headers: { host: "localhost:8800" } });
    expect(["127.0.0.1", "::1", "::ffff:127.0.0.1", "192.0.2.1", "10.0.0.1"].map(from)).toEqual([
      ...[true, true, true, false, false],
    ]);
  });

  it("on no port behind a proxy without a metrics port", async () => {
    const behind = await start({ publicUrl: "https://evidence.example.org" });
    expect((await get(`${behind.address}/metrics`)).status).toBe(404);
    const trusting = await start({ limits: { trustedProxies: ["10.0.0.1"] } });
    expect((await get(`${trusting.address}/metrics`)).status).toBe(404);
  });

  it("on a metrics port that serves nothing else", async () => {
    const service = await start({ metrics: { host: "127.0.0.1", port: 0 } });
    expect((await get(`${service.metricsAddress}/metrics`)).body).toContain("process_cpu_seconds_total");
    expect((await get(`${service.metricsAddress}/api/v2/openapi.json`)).status).toBe(404);
    expect((await get(`${service.address}/metrics`)).status).toBe(404);
  });
});

it("the metrics of several processes can be merged", async () => {
  const workers = [
    makeMetrics({ version: "1", engine: "sqlite" }),
    makeMetrics({ version: "1", engine: "sqlite" }),
  ];
  for (const [i, metrics] of workers.entries()) {
    metrics.sample({
      openRequests: () => 2,
      lostLogLines: () => 0,
      load: () => ({ waitingWrites: 3, connections: { busy: 1, idle: 4, wanted: 0 } }),
      waitingDeliveries: async () => 7,
      oldestDelivery: async () => 5,
      damage: () => ({ changed: 1, missing: 0 }),
    });
    metrics.request({
      operation: "listRepos",
      method: "GET",
      path: "/",
      status: 200,
      milliseconds: 1,
      requestId: "",
    });
    metrics.job({ name: "prune", seconds: 1, failed: i === 1 });
    metrics.store.retried("conflict");
  }
  const values = await Promise.all(workers.map(({ registry }) => registry.getMetricsAsJSON()));
  const joined = await AggregatorRegistry.aggregate(values).metrics();
  expect(valuesOf(joined, "evidence_http_requests_in_flight")).toEqual({ "": 4 });
  expect(valuesOf(joined, "evidence_http_request_duration_seconds_count")).toEqual({
    '{operation="listRepos",method="GET",status="200"}': 2,
  });
  expect(valuesOf(joined, "evidence_database_connections")).toEqual({
    '{state="busy"}': 2,
    '{state="idle"}': 8,
    '{state="wanted"}': 0,
  });
  expect(valuesOf(joined, "evidence_attachments_damaged")).toMatchObject({ '{condition="changed"}': 1 });
  expect(valuesOf(joined, "evidence_job_failures_total")).toEqual({ '{job="prune"}': 1 });
  expect(valuesOf(joined, "evidence_write_retries_total")).toEqual({ '{reason="conflict"}': 2 });
  expect(valuesOf(joined, "evidence_build_info")).toEqual({ '{version="1",engine="sqlite"}': 1 });
});

it("attachment failures are counted by operation", async () => {
  const folder = await mkdtemp(join(tmpdir(), "evidence-metrics-"));
  try {
    const metrics = makeMetrics({ version: "1", engine: "sqlite" });
    const store = await openStore(join(folder, "evidence.sqlite"));
    const attachments = observedAttachments(await attachmentsIn({ folder, store }), metrics);
    const missing = {
      path: join(folder, "nowhere"),
      name: "a",
      mediaType: "",
      size: 5,
      sha256: "0".repeat(64),
    };
    await expect(attachments.keepFor([missing], async () => {})).rejects.toThrow("unavailable");
    await expect(new Response(attachments.contentOf("0".repeat(64))).text()).rejects.toThrow();
    await expect(attachments.keepFor([], () => Promise.reject(new Error("no record")))).rejects.toThrow();
    const exposed = await metrics.registry.metrics();
    expect(valuesOf(exposed, "evidence_attachment_failures_total")).toEqual({
      '{task="check"}': 0,
      '{task="keep"}': 1,
      '{task="read"}': 1,
    });
    expect(valuesOf(exposed, "evidence_attachment_received_bytes_total")).toEqual({ "": 0 });
    await store.close();
  } finally {
    await rm(folder, { recursive: true });
  }
});
