import { connect } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeHealth } from "../../../src/service/http/health.ts";
import { textLog } from "../../../src/service/ops/text-log.ts";
import { openStore } from "../../../src/service/store/sqlite/open-store.ts";
import { attachmentsIn } from "../opened-attachments.ts";
import { expectRefusal, pipeline, send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const get = (path: string, headers: Record<string, string> = {}) =>
  request(`${service.address}${path}`, { dispatcher: service.dispatcher, headers });

describe("paths and methods", () => {
  it("answers an unknown path of the interface with JSON that repeats it", async () => {
    expectRefusal(await send(service, { path: "/nope?x=1" }), 404, "Not found: GET /api/v2/nope");
  });

  it("answers a wrong method with the right ones", async () => {
    const answer = await send(service, { method: "DELETE", path: `/flows/${ORG}` });
    expectRefusal(answer, 405, `Method not allowed: DELETE /api/v2/flows/${ORG}`);
    expect(answer.headers["allow"]).toBe("GET, PUT");
  });

  it("answers a wrong method outside of the interface with the right ones too", async () => {
    const answer = await request(`${service.address}/ready`, {
      dispatcher: service.dispatcher,
      method: "POST",
    });
    expect([answer.statusCode, answer.headers["allow"], await answer.body.json()]).toEqual([
      405,
      "GET, HEAD",
      { code: "request.method_not_allowed", message: "Method not allowed: POST /ready" },
    ]);
  });

  const instance = { id: "one", version: "1.2.3", startedAt: 0 };
  const watched = {
    instance,
    instances: async () => [instance],
    jobs: () => new Map(),
    targets: async () => ({ failing: 0, ended: 0 }),
    draining: () => false,
  };

  it("is not ready, with a reason, when its records cannot be read", async () => {
    const store = await openStore(join(service.dataFolder, "other.sqlite"));
    const attachments = await attachmentsIn({ folder: join(service.dataFolder, "other"), store });
    const { ready } = makeHealth({ store, attachments }, watched);
    await store.close();
    const why = "The records cannot be read: database is not open";
    expect(await ready()).toMatchObject({ status: 503, body: why });
  });

  it("is healthy while a long write delays others, if the last commit succeeded, and is ready in any case", async () => {
    const store = await openStore(join(service.dataFolder, "busy.sqlite"));
    const attachments = await attachmentsIn({ folder: join(service.dataFolder, "busy"), store });
    const ended: string[] = [];
    const watch = (state: Pick<typeof store, "committedAt">) =>
      makeHealth({ store: { ...store, ...state }, attachments }, watched);
    const ask = (name: string, state: Pick<typeof store, "committedAt">) =>
      watch(state)
        .health()
        .finally(() => ended.push(name));
    await store.checkWritable();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const long = store.write(() => released).finally(() => ended.push("long write"));
    const waiting = ask("healthy, no commit", { committedAt: () => undefined });
    expect(await ask("healthy", store)).toMatchObject({ status: 200 });
    expect(await watch(store).ready()).toMatchObject({ status: 200, body: "OK" });
    const unsure = "OK\nThe records cannot be written: no response in time";
    const { ready } = watch({ committedAt: () => undefined });
    expect(await ready()).toMatchObject({ status: 200, body: unsure });
    release();
    await long;
    expect(await waiting).toMatchObject({ status: 200 });
    expect(ended).toEqual(["healthy", "long write", "healthy, no commit"]);
    await store.close();
  });

  it("answers HEAD as GET without the body", async () => {
    const answer = await request(`${service.address}/ready`, {
      dispatcher: service.dispatcher,
      method: "HEAD",
    });
    expect([answer.statusCode, await answer.body.text()]).toEqual([200, ""]);
  });

  it("decodes escaped names", async () => {
    const answer = await send(service, { path: `/attestations/${ORG}/a%2Fb%20%252e/artifact/aaaaa/unit` });
    expectRefusal(answer, 404, `Flow named 'a/b %2e' does not exist for organization '${ORG}'`);
  });
});

describe("request ids", () => {
  it("keep the caller's id", async () => {
    const answer = await get("/ready", { "x-request-id": "run-7/attempt-1" });
    await answer.body.dump();
    expect(answer.headers["x-request-id"]).toBe("run-7/attempt-1");
  });

  it.each(["a b", "x".repeat(129), "né"])("replace the unusable id %j", async (id) => {
    const answer = await get("/ready", { "x-request-id": Buffer.from(id).toString("latin1") });
    await answer.body.dump();
    expect(answer.headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("are added to errors too", async () => {
    expect((await send(service, { path: "/nope" })).headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("JSON bodies", () => {
  const put = (raw: string | Uint8Array, headers: Record<string, string> = {}) =>
    send(service, { method: "PUT", path: `/environments/${ORG}`, raw, headers });

  it.each([
    ["nothing", "", "request.field_invalid", { body: "Field required [input: None]" }],
    ["a bare word", "yes", "request.json_invalid", { body: "Input should be valid JSON" }],
    ["a list", "[]", "request.field_invalid", { body: "Input should be a valid dictionary [input: [...]]" }],
    [
      "bytes that are not UTF-8",
      Buffer.from([0x7b, 0xff, 0x7d]),
      "request.field_invalid",
      { body: "Input should be valid UTF-8 text" },
    ],
    [
      "a bomb of brackets",
      "[".repeat(200_000),
      "request.json_too_complex",
      { body: "The JSON is nested too deeply" },
    ],
  ])("refuses %s with 400", async (_, raw, code, errors) => {
    const { status, body } = await put(raw);
    expect({ status, body }).toEqual({
      status: 400,
      body: { code, message: "Input payload validation failed", errors },
    });
  });

  it("does not repeat a body that it could not parse", async () => {
    const { body } = await put('{"webhook": https://hooks.example/T0P-S3CRET}');
    expect(JSON.stringify(body)).not.toContain("S3CRET");
  });

  it("refuses a body over the limit by its announced size", async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const { port, hostname } = new URL(service.address);
      const socket = connect(Number(port), hostname);
      socket.on("error", reject).on("data", (data) => {
        resolve(data.toString());
        socket.destroy();
      });
      socket.write(
        `PUT /api/v2/environments/${ORG} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${service.keys.member}\r\n` +
          `content-length: ${65 * 1024 * 1024}\r\n\r\n`,
      );
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain("the request body is 65 MB; the limit is 64 MB");
  });

  it("refuses a body over the limit that did not announce its size", async () => {
    const answer = await request(`${service.address}/api/v2/environments/${ORG}`, {
      method: "PUT",
      dispatcher: service.dispatcher,
      headers: { authorization: `Bearer ${service.keys.member}` },
      body: Readable.from(Array.from({ length: 65 }, () => Buffer.alloc(1024 * 1024, " "))),
    });
    expect([answer.statusCode, await answer.body.json()]).toEqual([
      413,
      { code: "request.too_large", message: "the request body is larger than the limit of 64 MB" },
    ]);
  });

  it("refuses a compressed body", async () => {
    expectRefusal(
      await put("x", { "content-encoding": "gzip" }),
      415,
      "Content-Encoding 'gzip' is not supported",
    );
  });

  it("reports the error of each field, and hides secrets", async () => {
    const { status, body } = await pipeline(service).action({
      name: "a b",
      targets: [{ type: "WEBHOOK", webhook: "ftp://hooks.example/T0P-S3CRET" }, { type: "FAX" }],
      triggers: ["ON_FOO"],
      extra: true,
    });
    expect(status).toBe(400);
    expect(body).toEqual({
      code: "request.field_invalid",
      message: "Input payload validation failed",
      errors: {
        name: "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\-_.~/]*$' [input: a b]",
        "targets[0].webhook": "URL scheme should be 'http' or 'https'",
        "targets[1].type": "Input should be 'SLACK', 'WEBHOOK' or 'EMAIL' [input: FAX]",
        "triggers[0]":
          "Input should be 'ON_STARTED_TRAIL', 'ON_ATTESTED_PROVENANCE', 'ON_ATTESTATION', 'ON_APPROVAL', 'ON_RELEASE', 'ON_COMPLIANT_TRAIL', 'ON_NON_COMPLIANT_TRAIL', 'ON_INCOMPLETE_TRAIL', 'ON_REFUSED_GATE' or 'ON_APPROVAL_NEEDED' [input: ON_FOO]",
        extra: "Extra inputs are not permitted [input: true]",
      },
    });
  });
});

describe("the log", () => {
  it("has one line for each request with account, key id and address, and with neither keys nor the query", async () => {
    const before = service.logged.length;
    await send(service, { path: `/repos/${ORG}?name=private`, headers: { "x-request-id": "req-1" } });
    const lines = service.logged.slice(before);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      new RegExp(
        `^GET /api/v2/repos/${ORG} 200 [\\d.]+ ms [0-9a-f-]{36} client-request=req-1 from=127\\.0\\.0\\.1 account=member key=[0-9a-f-]{32}$`,
      ),
    );
    expect(service.logged.join()).not.toContain("de_");
  });

  it("names the account also of a refused request, and none for an unknown key", async () => {
    const before = service.logged.length;
    await send(service, { path: `/repos/${ORG}`, key: service.keys.stranger });
    await send(service, { path: `/repos/${ORG}`, key: "de_unknown" });
    const [refused, unknown] = service.logged.slice(before);
    expect(refused).toMatch(/ 403 .* from=127\.0\.0\.1 account=stranger key=[0-9a-f-]{32}$/);
    expect(unknown).toMatch(/ 401 [\d.]+ ms \S+ from=127\.0\.0\.1$/);
  });

  it("shows control characters and text beyond ASCII as escapes, on one line", () => {
    const error = new Error("disk\u001b[31m full", { cause: new Error("\u2028é") });
    error.stack = "Error: disk\u001b[31m full\n    at place";
    const lines: string[] = [];
    const request = {
      method: "GET",
      path: "/\u009b1m",
      status: 500,
      milliseconds: 1.25,
      requestId: "r",
      error,
    };
    textLog((line) => lines.push(line))({ request });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^GET \/\\u009b1m 500 1\.3 ms r Error: disk\\u001b\[31m full \| {5}at place; caused by Error: \\u2028\\u00e9 \| /,
    );
  });
});
