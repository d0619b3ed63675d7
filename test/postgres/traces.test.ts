import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { Agent, FormData, request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { tracesFrom } from "../../src/cli/operator/trace-options.ts";
import { startService } from "../../src/service/service.ts";
import { newDatabase } from "../records.ts";

const KEY = `de_${"k".repeat(43)}`;
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const CALLER = "b7ad6b7169203331";

const value = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.string().regex(/^\d+$/) }),
]);
const attributes = z
  .array(z.strictObject({ key: z.string(), value }))
  .transform((list) => Object.fromEntries(list.map((each) => [each.key, Object.values(each.value)[0]])));
const nanoseconds = z
  .string()
  .regex(/^\d{19}$/)
  .transform(BigInt);
/** The JSON of OTLP, as far as a span here has it. */
const payload = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(
            z.strictObject({
              traceId: z.string().regex(/^[0-9a-f]{32}$/),
              spanId: z.string().regex(/^[0-9a-f]{16}$/),
              parentSpanId: z
                .string()
                .regex(/^[0-9a-f]{16}$/)
                .optional(),
              name: z.string(),
              kind: z.number().int().min(1).max(3),
              startTimeUnixNano: nanoseconds,
              endTimeUnixNano: nanoseconds,
              attributes,
              status: z.strictObject({ code: z.literal(2).optional() }),
            }),
          ),
        }),
      ),
    }),
  ),
});
type Span = z.infer<typeof payload>["resourceSpans"][0]["scopeSpans"][0]["spans"][0];

/** A collector that receives spans, and answers with a status. */
async function collector() {
  const spans: Span[] = [];
  const resources: unknown[] = [];
  const heads: unknown[] = [];
  const state = { status: 200 };
  const server = createServer(async (incoming, outgoing) => {
    const { resourceSpans } = payload.parse(await json(incoming));
    heads.push([
      incoming.method,
      incoming.url,
      incoming.headers["content-type"],
      incoming.headers["x-token"],
    ]);
    if (state.status === 200) {
      resources.push(...resourceSpans.map(({ resource }) => resource.attributes));
      spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((each) => each.spans)));
    }
    outgoing.writeHead(state.status, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    heads,
    state,
  };
}

async function traced(environment: Record<string, string>, workers = 0) {
  const folder = await mkdtemp(join(tmpdir(), "evidence-traces-"));
  const logged: string[] = [];
  const dispatcher = new Agent();
  const service = await startService({
    database: { url: await newDatabase() },
    dataFolder: join(folder, "data"),
    attachmentsAt: { folder: join(folder, "files") },
    ...{ host: "127.0.0.1", port: 0, version: "1.2.3", org: "acme", adminKey: KEY, workers },
    log: (entry) => "message" in entry && logged.push(entry.message),
    traces: tracesFrom(environment),
  });
  onTestFinished(async () => {
    await dispatcher.destroy();
    await service.close();
    await rm(folder, { recursive: true });
  });
  const call = async (
    path: string,
    more: { body?: FormData | string; headers?: Record<string, string> } = {},
  ) => {
    const { headers, body } = more;
    const answer = await request(`${service.address}${path}`, {
      dispatcher,
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${KEY}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    await answer.body.dump();
    return answer.statusCode;
  };
  const attest = (headers: Record<string, string> = {}) => {
    const body = new FormData();
    body.append("data_json", JSON.stringify({ attestation_name: "unit", is_compliant: true }));
    body.append("attachment_file", new Blob(["the report"]), "report.txt");
    return call("/api/v2/attestations/acme/web/trail/t1/generic", { body, headers });
  };
  return { ...service, logged, call, attest };
}

test("a request is one trace, with its statements, its batch and its attachment", async () => {
  const { url, spans, resources, heads } = await collector();
  const service = await traced({
    OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: "x-token=a%20secret",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=staging",
  });
  expect(await service.attest({ traceparent: `00-${TRACE}-${CALLER}-01` })).toBe(201);
  expect(await service.call("/ready")).toBe(200);
  expect(await service.call("/api/v2/flows/rival")).toBe(404);
  await expect.poll(() => spans.filter(({ kind }) => kind === 2)).toHaveLength(2);

  const own = spans.filter(({ traceId }) => traceId === TRACE);
  const [root, ...others] = own.filter(({ parentSpanId }) => parentSpanId === CALLER);
  expect(others).toEqual([]);
  expect(root).toMatchObject({
    name: "attestGeneric",
    kind: 2,
    attributes: { "http.request.method": "POST", "http.response.status_code": "201" },
    status: {},
  });
  const named = (name: string) => own.find((span) => span.name === name) ?? expect.fail(`no span ${name}`);
  const parentOf = (span: Span) => own.find(({ spanId }) => spanId === span.parentSpanId)?.name;
  expect(parentOf(named("attachment put"))).toBe("attestGeneric");
  expect(parentOf(named("write queue"))).toBe("write");
  expect(parentOf(named("write batch"))).toBe("write");
  expect(parentOf(named("write lock"))).toBe("write batch");
  expect(parentOf(named("commit"))).toBe("write batch");
  expect(parentOf(named("flush"))).toBe("write batch");
  expect(named("flush").startTimeUnixNano).toBeGreaterThanOrEqual(named("commit").endTimeUnixNano);
  expect(parentOf(named("insert attestations"))).toBe("write");
  expect(named("insert attestations").attributes["db.query.text"]).toMatch(
    /^insert into "attestations" .*\$1/s,
  );
  // The use of the API key is a write of its own.
  const batch = own.find(
    ({ name, parentSpanId }) =>
      name === "write batch" && parentSpanId === named("insert attestations").parentSpanId,
  );
  expect(Number(batch?.attributes["evidence.statements"])).toBeGreaterThan(5);
  // Every span lies within its parent. Clocks are rounded to microseconds.
  for (const span of own.filter((each) => each !== root)) {
    const parent = own.find(({ spanId }) => spanId === span.parentSpanId) ?? expect.fail(span.name);
    expect(span.startTimeUnixNano >= parent.startTimeUnixNano - 2000n, span.name).toBe(true);
    expect(span.endTimeUnixNano <= parent.endTimeUnixNano + 2000n, span.name).toBe(true);
  }

  const refused = spans.find(({ kind, traceId }) => kind === 2 && traceId !== TRACE);
  expect(refused).toMatchObject({ name: "listFlows", attributes: { "http.response.status_code": "404" } });
  expect(spans.map(({ name }) => name)).not.toContain("ready");
  expect(resources[0]).toEqual({
    "service.name": "delivery-evidence",
    "service.version": "1.2.3",
    "service.instance.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
    "deployment.environment.name": "staging",
  });
  expect(heads[0]).toEqual(["POST", "/v1/traces", "application/json", "a secret"]);
  // Neither keys nor values of statements are sent.
  expect(JSON.stringify(spans.map((span) => span.attributes))).not.toMatch(/de_k|the report|report\.txt/);
});

test("writes that share a batch are in the traces of their own requests", async () => {
  const { url, spans } = await collector();
  const service = await traced({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
  await service.attest();
  await Promise.all(Array.from({ length: 8 }, () => service.attest()));
  await service.close();
  const roots = spans.filter(({ name }) => name === "attestGeneric");
  expect(roots).toHaveLength(9);
  for (const { traceId } of roots) {
    const own = spans.filter((span) => span.traceId === traceId).map(({ name }) => name);
    expect(own.filter((name) => name === "attestGeneric")).toHaveLength(1);
    expect(own).toContain("write batch");
  }
  const ids = new Set(spans.map(({ spanId }) => spanId));
  expect(ids.size).toBe(spans.length);
  expect(spans.filter(({ parentSpanId }) => parentSpanId !== undefined && !ids.has(parentSpanId))).toEqual(
    [],
  );
});

test("a request that a worker answers has the worker's spans in its trace", async () => {
  const { url, spans } = await collector();
  const service = await traced({ OTEL_EXPORTER_OTLP_ENDPOINT: url }, 1);
  await service.attest();
  // Lists of more than 100 items are left to workers.
  const path = "/api/v2/trails/acme/web?per_page=500";
  expect(await service.call(path, { headers: { traceparent: `00-${TRACE}-${CALLER}-01` } })).toBe(200);
  await service.close();
  const own = spans.filter(({ traceId }) => traceId === TRACE);
  expect(own.filter(({ kind }) => kind === 2)).toHaveLength(1);
  // The main thread checks the key, and so does the worker.
  const keys = own.filter(({ name }) => name.includes("api_keys"));
  expect(keys.length).toBeGreaterThanOrEqual(2);
});

test("requests are sampled by the ratio, and by the decision of the caller", async () => {
  const { url, spans } = await collector();
  const service = await traced({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${url}/own`,
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0",
  });
  const path = "/api/v2/flows/acme";
  await service.call(path);
  await service.call(path, { headers: { traceparent: `00-${TRACE}-${CALLER}-00` } });
  await service.call(path, { headers: { traceparent: `00-${TRACE}-${"0".repeat(16)}-01` } });
  await service.call(path, { headers: { traceparent: `00-${TRACE}-${CALLER}-01` } });
  await service.close();
  expect(spans.filter(({ kind }) => kind === 2)).toHaveLength(1);
});

test("a collector that fails is logged once and delays no request", async () => {
  const { url, state } = await collector();
  state.status = 400;
  const service = await traced({ OTEL_EXPORTER_OTLP_ENDPOINT: url });
  expect(await service.call("/api/v2/flows/acme")).toBe(200);
  await expect
    .poll(() => service.logged.filter((line) => line.startsWith("Traces cannot be sent")))
    .toHaveLength(1);
  expect(await service.call("/api/v2/flows/acme")).toBe(200);
  await service.close();
  expect(service.logged.filter((line) => line.startsWith("Traces cannot be sent"))).toHaveLength(1);
});

test("the variables of OpenTelemetry are checked", () => {
  expect(tracesFrom({})).toBeUndefined();
  expect(tracesFrom({ OTEL_EXPORTER_OTLP_ENDPOINT: "" })).toBeUndefined();
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
  expect(tracesFrom({ ...endpoint, OTEL_SDK_DISABLED: "true" })).toBeUndefined();
  expect(tracesFrom({ ...endpoint, OTEL_TRACES_EXPORTER: "none" })).toBeUndefined();
  expect(tracesFrom({ ...endpoint, OTEL_SERVICE_NAME: "evidence" })).toEqual({
    url: new URL("http://collector:4318/v1/traces"),
    headers: {},
    resource: { "service.name": "evidence" },
    ratio: 1,
  });
  for (const [wrong, message] of [
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, "must be an http or https address"],
    [{ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "must be http/json, got 'grpc'"],
    [{ ...endpoint, OTEL_TRACES_SAMPLER: "jaeger_remote" }, "got 'jaeger_remote'"],
    [
      { ...endpoint, OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "2" },
      "got '2'",
    ],
  ] as const) {
    expect(() => tracesFrom(wrong)).toThrow(message);
  }
});
