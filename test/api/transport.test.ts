import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { call } from "../../src/api/client/call.ts";
import { ApiError, NetworkError, ProtocolError, TimeoutError } from "../../src/api/client/errors.ts";
import { operations } from "../../src/api/resources/operations.ts";
import { PROFILES } from "../../src/net/profiles.ts";
import { connectTo, failureOf } from "./connections.ts";
import { httpServer, json, listening, tcpServer } from "./local-server.ts";
import { fileOf, samples } from "./sample-requests.ts";

const { attestGeneric, listRepos } = operations;
const attestation = samples.attestGeneric.request;
/** Large enough not to fit into the buffers between the two sides. */
const bigAttestation = {
  ...attestation,
  files: { attachmentFile: [{ name: "big", content: new Blob([Buffer.alloc(10 * 1024 * 1024)]) }] },
};
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

describe("a connection that breaks is retried and never returns half a response:", () => {
  test("before the headers", async () => {
    const server = await tcpServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
    const error = await failureOf(
      NetworkError,
      call(connectTo(server.url, { retries: 2 }).connection, listRepos, {}),
    );
    expect(error.message).toMatch(/\(.+, listRepos, 3 attempts\)$/);
    expect(server.connections()).toBe(3);
  });

  test("in the middle of the upload", async () => {
    const server = await tcpServer((socket) => {
      let size = 0;
      socket.on("data", (chunk) => {
        size += chunk.length;
        if (size > 200_000) socket.resetAndDestroy();
      });
    });
    const { connection } = connectTo(server.url, { retries: 1 });
    const error = await failureOf(NetworkError, call(connection, attestGeneric, bigAttestation));
    expect(error.message).toContain(", 2 attempts)");
    expect(server.connections()).toBe(2);
  });

  test.each([
    ["in the middle of a response of a known length", `${HEAD}content-length: 100\r\n\r\n{"pa`],
    ["in the middle of a chunked response", `${HEAD}transfer-encoding: chunked\r\n\r\n4\r\n{"pa\r\n`],
    ["in the middle of the headers", HEAD],
  ])("%s", async (_, partial) => {
    const server = await tcpServer((socket) => socket.once("data", () => socket.end(partial)));
    const { connection } = connectTo(server.url, { retries: 1 });
    const error = await failureOf(NetworkError, call(connection, listRepos, {}));
    expect(error.message).toContain(", 2 attempts)");
    expect(server.connections()).toBe(2);
  });

  test("and succeeds when the next attempt does", async () => {
    const body = JSON.stringify(samples.listRepos.answer.body);
    const server = await tcpServer((socket, count) =>
      socket.once("data", () => {
        if (count === 1) socket.resetAndDestroy();
        else socket.end(`${HEAD}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
      }),
    );
    const reply = await call(connectTo(server.url).connection, listRepos, {});
    expect(reply.body).toEqual(samples.listRepos.understood);
  });

  test("and a server that does not speak HTTP is reported as such", async () => {
    const server = await tcpServer((socket) => socket.end("SSH-2.0-OpenSSH_9.9\r\n"));
    const error = await failureOf(
      NetworkError,
      call(connectTo(server.url, { retries: 0 }).connection, listRepos, {}),
    );
    expect(error.message).toContain("the server does not speak HTTP");
    expect(error.advice).toContain("https://");
  });
});

describe("the deadline ends", () => {
  const late = async (url: string, request = attestation, timeout = 0.3) => {
    const { connection, waits } = connectTo(url, { timeout });
    const error = await failureOf(TimeoutError, call(connection, attestGeneric, request));
    expect(error.message).toMatch(
      new RegExp(`^no complete answer within ${timeout} s \\(127\\.0\\.0\\.1:\\d+, attestGeneric\\)$`),
    );
    expect(error.advice).toContain("may or may not have been recorded");
    expect(waits).toEqual([]);
  };

  test("a wait for a service that never answers", async () => {
    await late((await tcpServer(() => {})).url);
  });

  test("an upload to a service that does not read", async () => {
    await late((await tcpServer((socket) => socket.pause())).url, bigAttestation);
  });

  test("a response that stalls after its headers", async () => {
    await late(
      (await tcpServer((s) => s.once("data", () => s.write(`${HEAD}content-length: 9\r\n\r\n`)))).url,
    );
  });

  test("a response that drips forever", async () => {
    const server = await tcpServer((socket) => {
      socket.once("data", () => {
        socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n`);
        const drip = setInterval(() => socket.write("1\r\n \r\n"), 20);
        socket.on("close", () => clearInterval(drip));
      });
    });
    await late(server.url);
  });

  test("a delay before the next attempt, and reports the reason for the retry", async () => {
    const server = await httpServer((response) => json(response, 503, { message: "busy" }));
    const { connection } = connectTo(server.url, {
      timeout: 0.6,
      pause: (_, signal) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
        ),
    });
    const error = await failureOf(TimeoutError, call(connection, listRepos, {}));
    expect(error.message).toContain("; before that: status 503");
    expect(error.advice).not.toContain("recorded");
  });

  test("all calls of a connection that share one", async () => {
    const server = await httpServer((response, _, count) => {
      if (count === 1) json(response, 201, "OK");
    });
    const { connection } = connectTo(server.url, { timeout: 0.3, oneDeadline: true });
    await call(connection, attestGeneric, attestation);
    await failureOf(TimeoutError, call(connection, attestGeneric, attestation));
    await failureOf(TimeoutError, call(connection, attestGeneric, attestation));
    expect(server.received).toHaveLength(2);
  });
});

describe("a redirect is never followed:", () => {
  test.each([301, 302, 303, 307, 308])("%i", async (status) => {
    const elsewhere = await httpServer((response) => json(response, 201, "OK"));
    const server = await httpServer((response) => {
      response.writeHead(status, { location: `${elsewhere.url}/login?next=1` });
      response.end();
    });
    const { connection, waits } = connectTo(server.url);
    const error = await failureOf(ProtocolError, call(connection, attestGeneric, attestation));
    expect(error.message).toContain(`the request was redirected to ${elsewhere.url}/login?next=1 (127.0.0.1`);
    expect(error.advice).toContain("set base-url");
    expect({ waits, sent: server.received.length, followed: elsewhere.received.length }).toEqual({
      waits: [],
      sent: 1,
      followed: 0,
    });
  });

  test("also not to another path of the same service, and its body is not waited for", async () => {
    const server = await httpServer((response) => {
      response.writeHead(302, { location: "/login" });
      response.write("never ends");
    });
    const error = await failureOf(ProtocolError, call(connectTo(server.url).connection, listRepos, {}));
    expect(error.message).toContain(`to ${server.url}/login`);
    expect(server.received).toHaveLength(1);
  });

  test.each([undefined, "http://[bad"])("also not to nowhere: %s", async (location) => {
    const server = await httpServer((response) => {
      response.writeHead(307, location ? { location } : {});
      response.end();
    });
    const error = await failureOf(ProtocolError, call(connectTo(server.url).connection, listRepos, {}));
    expect(error.message).toContain("to nowhere (");
  });
});

describe("a response", () => {
  const MIB = 1024 * 1024;

  test("without end is cut at the limit, and no more of it is read", async () => {
    let written = 0;
    const server = await httpServer((response) => {
      const chunk = Buffer.alloc(256 * 1024, " ");
      response.writeHead(200, { "content-type": "application/json" });
      const more = () => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length;
        written += chunk.length;
        if (!response.destroyed) response.once("drain", more);
      };
      more();
    });
    const { connection, waits } = connectTo(server.url);
    const error = await failureOf(ProtocolError, call(connection, listRepos, {}));
    expect(error.message).toContain("is larger than 20 MB");
    expect(waits).toEqual([]);
    expect(written).toBeLessThan(PROFILES.api.maxBytes + 40 * MIB);
  });

  test.each([
    ["of exactly the limit is read", 0],
    ["of one byte more is not", 1],
  ])("%s", async (_, extra) => {
    const text = JSON.stringify("x".repeat(PROFILES.api.maxBytes - 2 + extra));
    const server = await httpServer((response) => response.end(text));
    const work = call(connectTo(server.url).connection, attestGeneric, attestation);
    if (extra > 0) await failureOf(ProtocolError, work);
    else expect(String((await work).body)).toHaveLength(PROFILES.api.maxBytes - 2);
  });

  test("that cuts a character at the end of a packet is read whole", async () => {
    const bytes = Buffer.from(JSON.stringify("é漢😀".repeat(50)));
    const server = await tcpServer((socket) =>
      socket.once("data", async () => {
        socket.setNoDelay(true);
        socket.write(`HTTP/1.1 201 Created\r\ncontent-length: ${bytes.length}\r\n\r\n`);
        for (let at = 0; at < bytes.length; at += 7) {
          socket.write(bytes.subarray(at, at + 7));
          await new Promise((resolve) => setImmediate(resolve));
        }
      }),
    );
    const reply = await call(connectTo(server.url).connection, attestGeneric, attestation);
    expect(reply.body).toBe("é漢😀".repeat(50));
  });

  test("that arrives before the upload is over is the one reported", async () => {
    const server = createServer((request, response) => {
      request.once("data", () => {
        response.writeHead(413, { "content-type": "application/json", connection: "close" });
        response.end('{"message":"attachment \'big\' is too large"}');
      });
      request.resume();
    });
    const port = await listening(server);
    const { connection } = connectTo(`http://127.0.0.1:${port}`);
    const error = await failureOf(ApiError, call(connection, attestGeneric, bigAttestation));
    expect(error.message).toContain("attachment 'big' is too large (");
  });
});

describe("an interruption ends at once, with its own reason,", () => {
  class Interrupted extends Error {}

  test("an upload", async () => {
    const controller = new AbortController();
    const server = await tcpServer((socket) =>
      socket.once("data", () => {
        socket.pause();
        controller.abort(new Interrupted("in upload"));
      }),
    );
    const { connection } = connectTo(server.url, { signal: controller.signal });
    const error = await failureOf(Interrupted, call(connection, attestGeneric, bigAttestation));
    expect(error.message).toBe("in upload");
    expect(server.connections()).toBe(1);
  });

  test("a wait between two attempts", async () => {
    const controller = new AbortController();
    const server = await httpServer((response) => json(response, 503, {}, { "retry-after": "10" }));
    const { pause } = await import("../../src/net/retry.ts");
    const { connection } = connectTo(server.url, {
      signal: controller.signal,
      pause: (milliseconds, signal) => {
        setImmediate(() => controller.abort(new Interrupted("in backoff")));
        return pause(milliseconds, signal);
      },
    });
    const error = await failureOf(Interrupted, call(connection, listRepos, {}));
    expect(error.message).toBe("in backoff");
    expect(server.received).toHaveLength(1);
  });

  test("a call that has not begun, so that nothing is sent", async () => {
    const server = await httpServer((response) => json(response, 201, "OK"));
    const { connection } = connectTo(server.url, { signal: AbortSignal.abort(new Interrupted("before")) });
    await failureOf(Interrupted, call(connection, attestGeneric, attestation));
    expect(server.received).toEqual([]);
  });
});

test("an attachment with line feeds arrives unchanged", async () => {
  const text = "a\nb\r\nc\rd\n\n";
  const server = await httpServer((response) => json(response, 201, "OK"));
  await call(connectTo(server.url).connection, attestGeneric, {
    ...attestation,
    files: { attachmentFile: [fileOf("a.txt", text, "text/plain")] },
  });
  expect(server.received[0]?.body.includes(Buffer.from(`\r\n\r\n${text}\r\n--`))).toBe(true);
});

test("closing ends every connection at once", async () => {
  const server = createServer((request, response) => {
    request.resume().on("end", () => json(response, 201, "OK"));
  });
  const port = await listening(server);
  const closed: Promise<unknown>[] = [];
  server.on("connection", (socket) => {
    closed.push(once(socket, "close"));
  });
  const { connection } = connectTo(`http://127.0.0.1:${port}`);
  await call(connection, attestGeneric, attestation);
  await call(connection, attestGeneric, attestation);
  expect(closed.length).toBeGreaterThan(0);
  await connection.close();
  await Promise.all(closed);
});
