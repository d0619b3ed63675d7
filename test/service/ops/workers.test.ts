import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { IncomingMessage } from "node:http";
import { connect, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EvidenceClient } from "../../../src/api/client/client.ts";
import { BodyMemory } from "../../../src/service/http/body-memory.ts";
import { DEFAULT_LIMITS } from "../../../src/service/http/limits.ts";
import type { RequestSummary } from "../../../src/service/kernel/log.ts";
import { startWorkers, type WorkerPool } from "../../../src/service/ops/worker-pool.ts";
import { type RunningService, startService } from "../../../src/service/service.ts";
import { UNOBSERVED } from "../../../src/service/store/store.ts";
import { recordsOfTest } from "../../records.ts";

const ORG = "acme";
let folder: string;
let service: RunningService;
let client: EvidenceClient;
const requests: RequestSummary[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "workers-"));
  service = await startService({
    ...(await recordsOfTest()),
    dataFolder: folder,
    host: "127.0.0.1",
    port: 0,
    org: ORG,
    version: "1.2.3",
    workers: 1,
    log: (entry) => {
      if ("request" in entry) requests.push(entry.request);
    },
  });
  client = new EvidenceClient({
    apiKey: service.firstKey ?? "",
    org: ORG,
    baseUrl: service.address,
    retries: 0,
  });
});

afterAll(async () => {
  await client.close();
  await service.close();
  await rm(folder, { recursive: true });
});

const pods = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    podName: `pod-${index}`,
    namespace: "default",
    digests: { [`registry.example.com/app-${index}:1`]: `${index}`.padStart(64, "a") },
    creationTimestamp: 1_700_000_000,
  }));

it("a worker answers exactly as a service without workers, in errors and log lines too", async () => {
  await client.createEnvironment({ body: { name: "prod", type: "K8S", description: "" } });
  // More than the body limit of a worker.
  await client.reportK8S({ envName: "prod", body: { artifacts: pods(5_000) } });
  const snapshot = await client.getSnapshot({ envName: "prod", snapshotExpression: "1" });
  expect(snapshot.body.artifacts).toHaveLength(5_000);

  const ask = (path: string, init: RequestInit = {}) =>
    fetch(`${service.address}/api/v2${path}`, {
      ...init,
      headers: { authorization: `Bearer ${service.firstKey}`, "x-request-id": "mine", ...init.headers },
    });
  const missing = await ask(`/snapshots/${ORG}/prod/2`);
  expect([missing.status, missing.headers.get("x-request-id")]).toEqual([404, "mine"]);
  const denied = await ask(`/snapshots/${ORG}/prod/1`, { headers: { authorization: "Bearer wrong" } });
  expect(denied.status).toBe(401);
  const invalid = await ask(`/environments/${ORG}/prod/report/K8S`, {
    method: "PUT",
    body: JSON.stringify({ artifacts: "x".repeat(300_000) }),
    headers: { "content-type": "application/json", "x-evidence-client": "192.0.2.99" },
  });
  expect(invalid.status).toBe(400);

  const lines = requests.map(({ method, path, status, from }) => `${method} ${path} ${status} ${from}`);
  expect(lines).toContain(`GET /api/v2/snapshots/${ORG}/prod/1 200 127.0.0.1`);
  expect(lines.filter((line) => line.startsWith("PUT") && line.includes("/report/K8S 400"))).toEqual([
    `PUT /api/v2/environments/${ORG}/prod/report/K8S 400 127.0.0.1`,
  ]);
  const acts = await client.listAuditLog({});
  expect(JSON.stringify(acts.body)).not.toContain("192.0.2.99");
});

it("an action has the service's own request id in the audit log, as in the log", async () => {
  // A worker accepts a body of unknown length.
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('{"name": "own-id", "type": "K8S", "description": ""}'));
      controller.close();
    },
  });
  const headers = {
    ...{ authorization: `Bearer ${service.firstKey}`, "content-type": "application/json" },
    ...{ "x-request-id": "chosen", "x-evidence-request": "chosen" },
  };
  const path = `/api/v2/environments/${ORG}`;
  const init = { method: "PUT", headers, body, duplex: "half" } as RequestInit;
  const answer = await fetch(service.address + path, init);
  expect([answer.status, answer.headers.get("x-request-id")]).toEqual([201, "chosen"]);
  const logged = requests.find(({ clientRequestId }) => clientRequestId === "chosen");
  const [act] = (await client.listAuditLog({ resourceName: "own-id" })).body.data;
  expect(act?.requestId).toMatch(/^[0-9a-f-]{36}$/);
  expect(act?.requestId).toBe(logged?.requestId);
});

it("a sender that disconnects leaves the worker to the others", async () => {
  const { hostname, port } = new URL(service.address);
  const path = `/api/v2/environments/${ORG}/hung-up/report/K8S`;
  const socket = connect(Number(port), hostname);
  socket.write(
    [
      ...[`PUT ${path} HTTP/1.1`, "host: x", `authorization: Bearer ${service.firstKey}`],
      ...["content-type: application/json", "content-length: 300000", "expect: 100-continue"],
      ...["", '{"artifacts": ['],
    ].join("\r\n"),
  );
  // The service has started the request.
  const [begun] = await once(socket, "data");
  expect(String(begun)).toMatch(/^HTTP\/1.1 100 /);
  socket.destroy();
  await expect.poll(() => requests.filter((request) => request.path === path)).toHaveLength(1);
  const snapshot = await client.getSnapshot({ envName: "prod", snapshotExpression: "1" });
  expect(snapshot.body.artifacts).toHaveLength(5_000);
});

it.each([
  ["a chunked body that breaks off", "transfer-encoding: chunked\r\n\r\n5\r\n[1,2,\r\n"],
  ["a body shorter than announced", "content-length: 1000000\r\n\r\n[1,2,"],
  ["a malformed chunk", "transfer-encoding: chunked\r\n\r\n5\r\n[1,2,\r\nzz\r\n"],
])("%s is its sender's fault", async (title, rest) => {
  const { hostname, port } = new URL(service.address);
  const path = `/api/v2/environments/${ORG}/${title.replaceAll(" ", "-")}/report/K8S`;
  const head = `PUT ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.firstKey}\r\n`;
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  socket.resume();
  socket.end(`${head}content-type: application/json\r\n${rest}`);
  const logged = () => requests.filter((request) => request.path === path);
  await expect.poll(logged).toHaveLength(1);
  expect(logged()).toEqual([expect.objectContaining({ status: 400 })]);
  expect(logged()[0]?.error).toBeUndefined();
});

/** Sends a request to a pool as the service does, which answers itself if the pool does not. */
async function ask(pool: WorkerPool, org: string, url: string, method = "GET"): Promise<string> {
  const headers = { "content-type": "application/json", "content-length": "300000" };
  const incoming = Object.assign(new IncomingMessage(new Socket()), { method, url, headers });
  incoming.push(null);
  const request = {
    ...{ incoming, pathParams: { org }, target: { path: url, query: "" }, identified() {} },
    source: { address: null, requestId: null },
  };
  const room = new BodyMemory(DEFAULT_LIMITS).roomFor(org, "key");
  const answer = await pool.answer("getSnapshot", request, room);
  return answer === undefined ? "here" : await new Response(answer.body).text();
}

/** A worker that answers with the name of its folder after a request for the path `/release`. */
const HOLDING_WORKER = `
  import { parentPort, workerData } from "node:worker_threads";
  const held = [];
  const body = () => new TextEncoder().encode(workerData.incoming);
  parentPort.on("message", (message) => {
    if (message === "close") return parentPort.close();
    held.push(message.id);
    if (message.target.path !== "/release") return;
    for (const answered of held.splice(0)) {
      parentPort.postMessage({ answered, answer: { status: 200, headers: {}, body: body() } });
    }
  });
  parentPort.postMessage({ ready: true });
`;
const holdingPool = (size: number) =>
  startWorkers({
    module: new URL(`data:text/javascript,${encodeURIComponent(HOLDING_WORKER)}`),
    ...{ size, incoming: join(folder, "none"), settings: {} },
    ...{ log: () => {}, observer: UNOBSERVED, wake: () => {} },
  });

it("all requests of an organization go to one worker while it has any, and leave the others free", async () => {
  const pool = holdingPool(3);
  const responses = ["PUT", "GET", "PUT", "POST"].map((method) => ask(pool, "one", "/held", method));
  const other = ask(pool, "other", "/held", "PUT");
  const released = await ask(pool, "one", "/release");
  expect(await Promise.all(responses)).toEqual(responses.map(() => released));
  expect(await ask(pool, "other", "/release")).not.toBe(released);
  expect(await other).not.toBe(released);
  await pool.close();
});

it("an organization takes the least used worker, and reads without one while all are in use", async () => {
  const pool = holdingPool(2);
  for (let index = 0; index < 8; index++) {
    const [one, other] = [`one-${index}`, `other-${index}`];
    const first = [ask(pool, one, "/held"), ask(pool, other, "/held"), ask(pool, one, "/held")];
    // Otherwise a small read of a third organization would wait for all requests of the others.
    expect(await ask(pool, "third", "/held")).toBe("here");
    const released = await Promise.all([ask(pool, one, "/release"), ask(pool, other, "/release")]);
    const folders = await Promise.all(first);
    expect(folders).toEqual([released[0], released[1], released[0]]);
    expect(released[0]).not.toBe(released[1]);
  }
  await pool.close();
});

it("a worker that crashes fails its current requests, and answers again after a restart", async () => {
  const script = `
    import { MessageChannel, parentPort, workerData } from "node:worker_threads";
    parentPort.on("message", (message) => {
      if (message === "close") return parentPort.close();
      const { path } = message.target;
      if (path === "/fails") throw new Error("broken");
      const { port1, port2 } = new MessageChannel();
      port1.once("message", () => { throw new Error("broken") });
      const body = path === "/half" ? port2 : new TextEncoder().encode("here again");
      const answer = { status: 200, headers: {}, body };
      parentPort.postMessage({ answered: message.id, answer }, path === "/half" ? [port2] : []);
    });
    parentPort.postMessage({ ready: true });
  `;
  const pool = startWorkers({
    module: new URL(`data:text/javascript,${encodeURIComponent(script)}`),
    ...{ size: 1, incoming: join(folder, "none"), settings: {} },
    ...{ log: () => {}, observer: UNOBSERVED, wake: () => {} },
  });
  await expect(ask(pool, "one", "/fails")).rejects.toThrow("does not answer: try again");
  await expect(ask(pool, "one", "/whole")).rejects.toThrow("is being started: try again");
  await expect.poll(() => ask(pool, "one", "/whole").catch(() => "")).toBe("here again");
  await expect(ask(pool, "one", "/half")).rejects.toThrow("has ended");
  await pool.close();
});

it("workers can be stopped while they start or are down", async () => {
  const failed: string[] = [];
  const poolOf = (script: string) =>
    startWorkers({
      module: new URL(`data:text/javascript,${encodeURIComponent(script)}`),
      size: 1,
      incoming: join(folder, "none"),
      settings: {},
      log: (entry) => {
        if ("message" in entry) failed.push(entry.message);
      },
      observer: UNOBSERVED,
      wake: () => {},
    });
  const starting = poolOf("await new Promise(() => setInterval(() => {}, 1000))");
  await starting.close();
  const started = once(process, "worker");
  const down = poolOf("throw new Error('no records')");
  const [thread] = await started;
  await new Promise((resolve) => thread.once("exit", resolve));
  expect(failed).toHaveLength(1);
  await down.close();
});
