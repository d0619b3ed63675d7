import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { directConnections } from "../../src/net/dispatcher.ts";
import { exchange, Incomplete, openAnswer } from "../../src/net/exchange.ts";

const MB = 1024 * 1024;

async function serving(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  const connections = directConnections({});
  onTestFinished(async () => {
    await connections.destroy();
    server.closeAllConnections();
    server.close();
  });
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  return { connections, request: { method: "GET", url, headers: {} } as const };
}

test("a response that is read slowly arrives whole, and no faster than it is read", async () => {
  const content = Buffer.alloc(64 * MB, "x");
  let sent = 0;
  const { connections, request } = await serving((_, response) => {
    const more = () => {
      for (let goesOn = true; goesOn && sent < content.length; sent += MB) {
        goesOn = response.write(content.subarray(sent, sent + MB));
      }
      if (sent >= content.length) response.end();
    };
    response.on("drain", more);
    more();
  });
  const { body } = await openAnswer(connections, request);
  let read = 0;
  for await (const chunk of body) {
    // The buffers of both ends store far less than the whole.
    if (read === 0) expect(sent).toBeLessThan(content.length / 2);
    read += chunk.length;
  }
  expect(read).toBe(content.length);
});

test("a response that breaks off is reported where it is read", async () => {
  const { connections, request } = await serving((_, response) => {
    response.writeHead(200, { "content-length": "100" }).write("half", () => response.destroy());
  });
  const { status, body } = await openAnswer(connections, request);
  expect(status).toBe(200);
  await expect(buffer(body)).rejects.toBeInstanceOf(Incomplete);
});

test("no more is read of a response over the limit, unless it may be truncated", async () => {
  const { connections, request } = await serving((_, response) => response.end("0123456789"));
  const { signal } = new AbortController();
  const refused = exchange(connections, request, { signal, maxBytes: 9 });
  await expect(refused).rejects.toMatchObject({ isTooLarge: true, status: 200 });
  const whole = await exchange(connections, request, { signal, maxBytes: 10 });
  expect(whole.bytes.toString()).toBe("0123456789");
  const cut = await exchange(connections, request, { signal, maxBytes: 5, mayBeCut: true });
  expect(cut.bytes.toString()).toMatch(/^01234/);
});

test("a refusal is read, but not taken and not to its end", async () => {
  const { connections, request } = await serving((_, response) => {
    response.writeHead(403).end(`why${"x".repeat(MB)}`);
  });
  const { signal } = new AbortController();
  const taken: Buffer[] = [];
  const reading = { signal, maxBytes: Number.POSITIVE_INFINITY, take: (chunk: Buffer) => taken.push(chunk) };
  const { status, bytes } = await exchange(connections, request, reading);
  expect({ status, taken, start: bytes.toString("utf8", 0, 3) }).toEqual({
    status: 403,
    taken: [],
    start: "why",
  });
  expect(bytes.length).toBeLessThan(MB / 2);
});
