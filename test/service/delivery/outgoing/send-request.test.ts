import { once } from "node:events";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { text } from "node:stream/consumers";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { describe, expect, onTestFinished, test } from "vitest";
import { sendRequest } from "../../../../src/service/delivery/outgoing/send-request.ts";
import { selfSigned } from "../../../api/certificates.ts";
import { agentFor, listening, type Receiver, rawReceiver, receiver } from "./receivers.ts";

/** Less than an attempt to connect may take. */
const BEFORE_CONNECT_TIMEOUT_MS = 9_000;
/** For a receiver that never ends. The rest of its work is not waited for. */
const SHORT_MS = 300;

function send({ port }: Receiver, deadlineMs?: number) {
  return sendRequest({
    agent: agentFor(),
    url: `http://127.0.0.1:${port}/hooks?to=me`,
    headers: { "content-type": "application/json", "webhook-id": "msg_1" },
    body: '{"name":"Grüße"}',
    ...(deadlineMs === undefined ? {} : { deadlineMs }),
  });
}

test("a request arrives byte for byte with its headers, and a 2xx counts as delivered", async () => {
  const arrived: unknown[] = [];
  const target = await receiver(async (request, response) => {
    const { method, url, headers } = request;
    arrived.push({ method, url, id: headers["webhook-id"], length: headers["content-length"] });
    arrived.push(await text(request));
    response.writeHead(202).end("thanks");
  });

  expect(await send(target)).toEqual({
    outcome: "delivered",
    status: 202,
    answer: "thanks",
    durationMs: expect.any(Number),
  });
  expect(arrived).toEqual([
    { method: "POST", url: "/hooks?to=me", id: "msg_1", length: "18" },
    '{"name":"Grüße"}',
  ]);
});

test.each([301, 302, 307, 308])("a %i is a failure, and its redirect is not followed", async (status) => {
  const inner = await receiver((_, response) => response.end());
  const target = await receiver((_, response) =>
    response.writeHead(status, { location: `http://127.0.0.1:${inner.port}/admin` }).end("moved"),
  );

  expect(await send(target)).toMatchObject({ outcome: `status_${status}`, status, answer: "moved" });
  expect(inner.connections()).toBe(0);
});

describe("a response", () => {
  test("of 1 GB counts as delivered all the same, and its connection is closed early", async () => {
    const chunk = Buffer.alloc(64 * 1024, "x");
    const total = 1024 ** 3;
    let written = 0;
    const closed = Promise.withResolvers<void>();
    const target = await receiver(async (_, response) => {
      response.on("close", closed.resolve);
      response.writeHead(200, { "content-length": total });
      while (written < total && !response.destroyed) {
        written += chunk.length;
        if (!response.write(chunk)) await Promise.race([once(response, "drain"), closed.promise]);
      }
    });

    expect(await send(target)).toMatchObject({ outcome: "delivered", answer: "x".repeat(4096) });
    await closed.promise;
    // Far less than the whole: the buffers of both ends.
    expect(written).toBeLessThan(total / 16);
  });

  test("that is cut between the bytes of a letter is shown up to that letter", async () => {
    const target = await receiver((_, response) => response.writeHead(500).end("ü".repeat(5000)));
    const shifted = await receiver((_, response) => response.writeHead(500).end(`x${"ü".repeat(5000)}`));

    expect(await send(target)).toMatchObject({ answer: "ü".repeat(2048) });
    expect(await send(shifted)).toMatchObject({ answer: `x${"ü".repeat(2047)}` });
  });

  test("with a slow body counts as delivered by its status, and is shown as far as received by the deadline", async () => {
    const target = await receiver((_, response) => {
      response.writeHead(200).write("first");
      const timer = setInterval(() => response.write("."), 1000);
      response.on("close", () => clearInterval(timer));
    });

    const result = await send(target, SHORT_MS);
    expect(result).toMatchObject({ outcome: "delivered", status: 200, answer: "first" });
  });

  test("that breaks off after its status counts by its status", async () => {
    const target = await rawReceiver((socket) =>
      socket.once("data", () =>
        socket.end("HTTP/1.1 503 Unavailable\r\ncontent-length: 100\r\n\r\nsome words"),
      ),
    );
    expect(await send(target)).toMatchObject({ outcome: "status_503", answer: "some words" });
  });

  test.each([
    ["seconds", "120", 120],
    ["more seconds than a day has", "99999999999999999999", 86_400],
    ["a date that has passed", "Wed, 21 Oct 2015 07:28:00 GMT", 0],
    ["a date far away", "Wed, 21 Oct 2099 07:28:00 GMT", 86_400],
    ["an invalid value", "soon", undefined],
  ])("of 429 says when to retry: %s", async (_, header, expected) => {
    const target = await receiver((__, response) => response.writeHead(429, { "retry-after": header }).end());
    const result = await send(target);
    expect(result).toMatchObject({ outcome: "status_429" });
    expect(result).toEqual(
      expect.objectContaining(expected === undefined ? {} : { retryAfterSeconds: expected }),
    );
    expect("retryAfterSeconds" in result).toBe(expected !== undefined);
  });

  test("of 429 may say it by a date, which is relative to its Date header", async () => {
    const headers = { date: "Wed, 21 Oct 2015 07:28:00 GMT", "retry-after": "Wed, 21 Oct 2015 08:28:00 GMT" };
    const target = await receiver((_, response) => response.writeHead(429, headers).end());
    expect(await send(target)).toMatchObject({ retryAfterSeconds: 3600 });
  });

  test.each([400, 404, 410, 500, 504])("of %i is a failure by its number", async (status) => {
    const target = await receiver((_, response) => response.writeHead(status).end("no"));
    expect(await send(target)).toEqual({
      outcome: `status_${status}`,
      detail: `The target returned ${status}`,
      status,
      answer: "no",
      durationMs: expect.any(Number),
    });
  });

  test("with endless headers is too large", async () => {
    const target = await rawReceiver((socket) =>
      socket.once("data", () => socket.write(`HTTP/1.1 200 OK\r\nx-long: ${"x".repeat(200_000)}`)),
    );
    expect(await send(target)).toMatchObject({ outcome: "too_large" });
  });

  test("that is not HTTP has a separate error", async () => {
    const target = await rawReceiver((socket) => socket.once("data", () => socket.end("220 mail ready\r\n")));
    expect(await send(target)).toMatchObject({ outcome: "not_http" });
  });
});

describe("the deadline ends a request to", () => {
  test("a target that accepts the request and never answers", async () => {
    const target = await receiver(() => {});
    expect(await send(target, SHORT_MS)).toMatchObject({ outcome: "timeout", answer: "" });
  });

  test("a target with slow headers", async () => {
    const target = await rawReceiver((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nx-slow: ");
      const timer = setInterval(() => socket.write("x"), 1000);
      socket.on("close", () => clearInterval(timer));
    });
    expect(await send(target, SHORT_MS)).toMatchObject({ outcome: "timeout" });
  });

  test(
    "a TLS handshake that is never answered",
    async () => {
      const target = await rawReceiver(() => {});
      const url = `https://127.0.0.1:${target.port}/`;
      const result = await sendRequest({
        agent: agentFor(),
        url,
        headers: {},
        body: "",
        deadlineMs: SHORT_MS,
      });
      expect(result).toMatchObject({ outcome: "timeout" });
      expect(target.connections()).toBe(1);
    },
    BEFORE_CONNECT_TIMEOUT_MS,
  );

  test(
    "a name server that never answers",
    async () => {
      const agent = agentFor({ lookup: () => new Promise(() => {}) });
      const url = "https://receiver.example/";
      const result = await sendRequest({ agent, url, headers: {}, body: "", deadlineMs: SHORT_MS });
      expect(result).toMatchObject({ outcome: "timeout" });
    },
    BEFORE_CONNECT_TIMEOUT_MS,
  );
});

describe("a network error is reported by its kind:", () => {
  test("a target that resets the connection", async () => {
    const target = await rawReceiver((socket) => socket.once("data", () => socket.resetAndDestroy()));
    expect(await send(target)).toMatchObject({ outcome: "reset", detail: "The connection was reset" });
  });

  test("a target that disconnects without a response", async () => {
    const target = await rawReceiver((socket) => socket.once("data", () => socket.end()));
    expect(await send(target)).toMatchObject({ outcome: "reset" });
  });

  test("a port where nothing listens", async () => {
    const server = createTcpServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");
    const result = await sendRequest({
      agent: agentFor(),
      url: `http://127.0.0.1:${port}/`,
      headers: {},
      body: "",
    });
    expect(result).toMatchObject({ outcome: "connect", detail: "Connection refused" });
  });

  test.each(["ENOTFOUND", "EAI_AGAIN"])("a name server that answers %s", async (code) => {
    const agent = agentFor({ lookup: () => Promise.reject(Object.assign(new Error(code), { code })) });
    const url = "https://receiver.example/";
    const result = await sendRequest({ agent, url, headers: {}, body: "" });
    expect(result).toMatchObject({ outcome: "dns" });
  });

  test("a name without an address", async () => {
    const agent = agentFor({ lookup: async () => [] });
    const result = await sendRequest({ agent, url: "https://receiver.example/", headers: {}, body: "" });
    expect(result).toMatchObject({ outcome: "dns" });
  });

  test("TLS: a certificate for another host, one from an unknown authority, and none at all", async () => {
    const { key, cert } = selfSigned(["other.example"]);
    const target = await listening(createServer({ key, cert }, (_, response) => response.end("hello")));
    const plain = await receiver((_, response) => response.end());
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    const ask = (host: string, { port }: Receiver) =>
      sendRequest({ agent: agentFor({ lookup }), url: `https://${host}:${port}/`, headers: {}, body: "" });

    expect(await ask("other.example", target)).toMatchObject({
      outcome: "tls",
      detail: "The certificate is self-signed",
    });
    expect(await ask("other.example", plain)).toMatchObject({ outcome: "tls" });

    const trusted = getCACertificates("default");
    setDefaultCACertificates([...trusted, cert.toString()]);
    onTestFinished(() => setDefaultCACertificates(trusted));
    expect(await ask("receiver.example", target)).toMatchObject({
      outcome: "tls",
      detail: "The certificate is for another host",
    });
    expect(await ask("other.example", target)).toMatchObject({ outcome: "delivered", answer: "hello" });
  });
});

test("a header that cannot be sent is an error of the caller, not of the target", async () => {
  const url = "http://127.0.0.1:9999/";
  const sent = sendRequest({ agent: agentFor(), url, headers: { "x-own": "a\r\nb: c" }, body: "" });
  await expect(sent).rejects.toThrow("invalid x-own header");
});
