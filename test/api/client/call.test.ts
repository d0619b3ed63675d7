import { describe, expect, test } from "vitest";
import { call } from "../../../src/api/client/call.ts";
import type { Connection } from "../../../src/api/client/connection.ts";
import type { CallOptions, Reply } from "../../../src/api/client/reply.ts";
import type { RequestOf } from "../../../src/api/operation.ts";
import { type OperationName, operations } from "../../../src/api/resources/operations.ts";
import { VERSION } from "../../../src/api/version.ts";
import { connectTo, KEY } from "../connections.ts";
import { httpServer, json } from "../local-server.ts";
import { readParts } from "../multipart-reader.ts";
import { fileOf, samples } from "../sample-requests.ts";

const NAMES = Object.keys(operations) as OperationName[];
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Calls an operation by its name only: its sample has the matching type. */
function callSample(
  connection: Connection,
  name: OperationName,
  options?: CallOptions,
): Promise<Reply<unknown>> {
  const request = samples[name].request as RequestOf<(typeof operations)[OperationName]>;
  return call(connection, operations[name], request, options);
}

describe("each operation sends the documented request and reads the response:", () => {
  test.each(NAMES)("%s", async (name) => {
    const sample = samples[name];
    const server = await httpServer((response) => json(response, sample.answer.status, sample.answer.body));
    const { connection } = connectTo(server.url);

    const reply = await callSample(connection, name);

    expect(server.received).toHaveLength(1);
    const [request] = server.received;
    expect({ method: request?.method, path: request?.path }).toEqual({
      method: sample.method,
      path: sample.path,
    });
    expect(request?.headers).toMatchObject({
      accept: "application/json",
      authorization: `Bearer ${KEY}`,
      "user-agent": `delivery-evidence/${VERSION}`,
      "x-request-id": expect.stringMatching(UUID),
    });
    expect(request?.headers["idempotency-key"]).toEqual(
      sample.method === "POST" ? expect.stringMatching(UUID) : undefined,
    );
    const bytes = request?.body ?? Buffer.alloc(0);
    const type = request?.headers["content-type"];
    // A request that could have a body says that it has none.
    const mayHaveBody = sample.body || ["PUT", "POST", "PATCH"].includes(sample.method);
    expect(request?.headers["content-length"]).toBe(mayHaveBody ? String(bytes.length) : undefined);
    if (sample.multipart) {
      expect(type).toMatch(/^multipart\/form-data; boundary=\S+$/);
      const [data] = await readParts(type ?? "", bytes);
      const part = name === "putPolicy" ? "payload" : "data_json";
      expect(data).toMatchObject({ name: part, bytes: Buffer.from(JSON.stringify(sample.body)) });
      expect(data?.fileName).toBeUndefined();
    } else if (sample.body) {
      expect(type).toBe("application/json; charset=utf-8");
      expect(JSON.parse(bytes.toString())).toEqual(sample.body);
    } else {
      expect({ type, size: bytes.length }).toEqual({ type: undefined, size: 0 });
    }
    expect(reply).toEqual({
      status: sample.answer.status,
      headers: expect.objectContaining({ "content-type": "application/json" }),
      body: sample.understood,
      requestId: request?.headers["x-request-id"],
      warnings: [],
    });
  });
});

describe("the files of a submission", () => {
  const attest = async (files: readonly { name: string; content: Blob }[]) => {
    const server = await httpServer((response) => json(response, 201, "OK"));
    const { connection } = connectTo(server.url);
    await call(connection, operations.attestGeneric, {
      ...samples.attestGeneric.request,
      files: { attachmentFile: files },
    });
    const [request] = server.received;
    const parts = await readParts(request?.headers["content-type"] ?? "", request?.body ?? Buffer.alloc(0));
    return parts.slice(1).map(({ name, fileName, bytes }) => [name, fileName, bytes.toString()]);
  };

  test("are none by default", async () => {
    expect(await attest([])).toEqual([]);
  });

  test("keep the plain part name when there is one, which every service understands", async () => {
    expect(await attest([fileOf("a.txt", "1")])).toEqual([["attachment_file", "a.txt", "1"]]);
  });

  test("are numbered in the given order when there are several", async () => {
    expect(await attest([fileOf("b", "1"), fileOf("a", "2"), fileOf("c", "")])).toEqual([
      ["attachment_file.0", "b", "1"],
      ["attachment_file.1", "a", "2"],
      ["attachment_file.2", "c", ""],
    ]);
  });
});

test("64-bit integers and raw numbers of user data keep their digits on the wire", async () => {
  const server = await httpServer((response) => json(response, 201, "OK"));
  const { connection } = connectTo(server.url);
  const raw = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;
  await call(connection, operations.reportArtifact, {
    ...samples.reportArtifact.request,
    body: {
      ...samples.reportArtifact.request.body,
      userData: { id: raw("12345678901234567890"), list: [raw("1.10")] },
    },
  });
  expect(server.received[0]?.body.toString()).toContain(
    '"user_data":{"id":12345678901234567890,"list":[1.10]}',
  );
});

test("a given idempotency key is sent", async () => {
  const server = await httpServer((response) => json(response, 201, "OK"));
  await callSample(connectTo(server.url).connection, "attestGeneric", { idempotencyKey: "replayed" });
  expect(server.received[0]?.headers["idempotency-key"]).toBe("replayed");
});

test("two submissions have two idempotency keys and two request ids", async () => {
  const server = await httpServer((response) => json(response, 201, "OK"));
  const { connection } = connectTo(server.url);
  await callSample(connection, "attestGeneric");
  await callSample(connection, "attestGeneric");
  const headers = server.received.map((r) => r.headers);
  expect(new Set(headers.map((h) => h["idempotency-key"])).size).toBe(2);
  expect(new Set(headers.map((h) => h["x-request-id"])).size).toBe(2);
});

test("the request id of the response is the one reported", async () => {
  const server = await httpServer((response) => json(response, 201, "OK", { "x-request-id": "theirs" }));
  expect((await callSample(connectTo(server.url).connection, "createFlow")).requestId).toBe("theirs");
});

test("basic authorization consists of the key and a colon", async () => {
  const server = await httpServer((response) => json(response, 201, "OK"));
  await callSample(connectTo(server.url, { authScheme: "basic" }).connection, "createFlow");
  const [, encoded = ""] = server.received[0]?.headers.authorization?.split("Basic ") ?? [];
  expect(Buffer.from(encoded, "base64").toString()).toBe(`${KEY}:`);
});
