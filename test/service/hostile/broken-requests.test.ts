import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TrustedProxies } from "../../../src/service/http/client-address.ts";
import { OpenAnswers } from "../../../src/service/http/open-answers.ts";
import { makeServer } from "../../../src/service/http/server.ts";
import type { RequestSummary } from "../../../src/service/kernel/log.ts";
import { send } from "../requests.ts";
import { ORG, startTestService, type TestService } from "../running-service.ts";
import { parseAnswer, sendBytes } from "./raw-request.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.dispose());

const HOST = "host: service.example\r\n";
const key = () => `authorization: Bearer ${service.keys.admin}\r\n`;
const upload = (headers: string, body: string) =>
  `PUT /api/v2/flows/${ORG} HTTP/1.1\r\n${HOST}${key()}${headers}\r\n${body}`;
const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index)).join("");

/** Bytes that are not a request, by their fault, with the status and the message. */
const UNREADABLE: readonly [title: string, bytes: () => string | Uint8Array, status: number, says: RegExp][] =
  [
    ["words", () => "What is this?\r\n\r\n", 400, /^The request is not valid HTTP: \w/],
    ["HTTP/0.9", () => "GET /ready\r\n\r\n", 400, /not valid HTTP/],
    ["the beginning of HTTP/2", () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, /not valid HTTP/],
    ["a later protocol", () => `GET /ready HTTP/3.0\r\n${HOST}\r\n`, 400, /not valid HTTP/],
    ["a greeting of TLS", () => Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3]), 400, /not valid HTTP/],
    ["an unknown method", () => `BREW /ready HTTP/1.1\r\n${HOST}\r\n`, 400, /Invalid method/],
    [
      "an address with bytes",
      () => Buffer.from(`GET /\xff HTTP/1.1\r\n${HOST}\r\n`, "latin1"),
      400,
      /not valid HTTP/,
    ],
    [
      "a header with a control character",
      () => `GET /ready HTTP/1.1\r\n${HOST}a: b\x01c\r\n\r\n`,
      400,
      /header value/,
    ],
    ["a header with NUL", () => `GET /ready HTTP/1.1\r\n${HOST}a: b\0c\r\n\r\n`, 400, /header value/],
    ["a space before the colon", () => "GET /ready HTTP/1.1\r\nhost : x\r\n\r\n", 400, /header/],
    ["lines that end in LF", () => "GET /ready HTTP/1.1\nhost: x\n\n", 400, /not valid HTTP/],
    ["a long address", () => `GET /${"a".repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`, 431, /limit of 16 kB$/],
    [
      "a very long address",
      () => `GET /${"a".repeat(3_000_000)} HTTP/1.1\r\n${HOST}\r\n`,
      431,
      /limit of 16 kB$/,
    ],
    [
      "a long header",
      () => `GET /ready HTTP/1.1\r\n${HOST}a: ${"a".repeat(20_000)}\r\n\r\n`,
      431,
      /limit of 16 kB$/,
    ],
    [
      "many headers",
      () => `GET /ready HTTP/1.1\r\n${HOST}${many(5_000, (i) => `a${i}: 1\r\n`)}\r\n`,
      431,
      /16 kB$/,
    ],
    ["two lengths", () => upload("content-length: 2\r\ncontent-length: 3\r\n", "{}"), 400, /Content-Length/],
    [
      "a length and chunks",
      () => upload("content-length: 5\r\ntransfer-encoding: chunked\r\n", "0\r\n\r\n"),
      400,
      /Content-Length/,
    ],
    ["a length in words", () => upload("content-length: two\r\n", "{}"), 400, /Content-Length/],
    ["a length below zero", () => upload("content-length: -2\r\n", "{}"), 400, /Content-Length/],
    [
      "a length beyond numbers",
      () => upload(`content-length: ${"9".repeat(30)}\r\n`, "{}"),
      400,
      /Content-Length/,
    ],
    [
      "another transfer encoding",
      () => upload("transfer-encoding: gzip\r\n", "{}"),
      400,
      /Transfer-Encoding/,
    ],
    [
      "a chunk without a size",
      () => upload("transfer-encoding: chunked\r\n", "zz\r\n{}\r\n0\r\n\r\n"),
      400,
      /chunk/,
    ],
    [
      "a chunk longer than its size",
      () => upload("transfer-encoding: chunked\r\n", "1\r\n{}\r\n0\r\n\r\n"),
      400,
      /./,
    ],
    [
      "endless chunk extensions",
      () => upload("transfer-encoding: chunked\r\n", `2;${"a".repeat(20_000)}\r\n{}\r\n`),
      400,
      /Chunk extensions overflow$/,
    ],
  ];

/** Requests without a valid address. */
const UNADDRESSED: readonly [title: string, head: string, status: number, says: RegExp][] = [
  ["no host", "GET /ready HTTP/1.1\r\n", 400, /Missing host header$/],
  ["an empty host", "GET /ready HTTP/1.1\r\nhost:\r\n", 400, /Missing host header$/],
  ["a host of two words", "GET /ready HTTP/1.1\r\nhost: a b\r\n", 400, /not valid HTTP: /],
  ["a host with a path", "GET /ready HTTP/1.1\r\nhost: a/b@c\r\n", 400, /Invalid host header$/],
  ["a backslash in the path", `GET /api\\v2 HTTP/1.1\r\n${HOST}`, 400, /Backslash in request path$/],
  ["an asterisk", `OPTIONS * HTTP/1.1\r\n${HOST}`, 400, /Invalid URL$/],
  ["an invalid address", `GET http://[/ready HTTP/1.1\r\n${HOST}`, 400, /Invalid absolute URL$/],
  [
    "a tunnel",
    `CONNECT service.example:443 HTTP/1.1\r\n${HOST}`,
    405,
    /^Method not allowed: CONNECT service/,
  ],
  [
    "an expectation",
    `PUT /api/v2/flows/${ORG} HTTP/1.1\r\n${HOST}expect: wonders\r\n`,
    417,
    /^Expect: wonders/,
  ],
];

function expectAnswer(text: string, status: number, says: RegExp): string {
  const answer = parseAnswer(text);
  expect(answer, text).toBeDefined();
  const { head = "", text: body = "" } = answer ?? {};
  expect({ status: answer?.status, body: JSON.parse(body) }).toEqual({
    status,
    body: { code: expect.stringMatching(/^\w+\.\w+$/), message: expect.stringMatching(says) },
  });
  expect(head).toMatch(/^content-type: application\/json$/im);
  expect(head).toMatch(/^cache-control: no-store$/im);
  expect(head).toMatch(/^connection: close$/im);
  const [, requestId = ""] = /^x-request-id: (\S+)$/im.exec(head) ?? [];
  expect(requestId).not.toBe("");
  return requestId;
}

/** Address of a server, once it listens. */
async function addressOf(server: ReturnType<typeof makeServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : undefined}`;
}

/** The log line of a request, once it is written, and no second one. */
async function lineOf(requestId: string): Promise<string> {
  const words = [requestId, `client-request=${requestId}`];
  const lines = () => service.logged.filter((line) => line.split(" ").some((word) => words.includes(word)));
  await expect.poll(lines).toHaveLength(1);
  return lines()[0] ?? "";
}

describe("an error body is the response to", () => {
  it.each(UNREADABLE)("%s", async (_, bytes, status, says) => {
    const requestId = expectAnswer(await sendBytes(service.address, [bytes()]), status, says);
    expect(await lineOf(requestId)).toMatch(new RegExp(`^(- -|[A-Z]+ /\\S+) ${status} `));
  });

  it.each(UNADDRESSED)("%s, with the request's own id", async (title, head, status, says) => {
    const id = title.replaceAll(" ", "-");
    const sent = `${head}x-request-id: ${id}\r\nconnection: close\r\n\r\n`;
    expect(expectAnswer(await sendBytes(service.address, [sent]), status, says)).toBe(id);
    expect(await lineOf(id)).toMatch(new RegExp(`^[A-Z]+ \\S+ ${status} `));
  });
});

it("nothing is stored of any of them", async () => {
  const { body } = await send(service, { path: `/flows/${ORG}` });
  expect(body).toEqual([]);
});

describe("a sender that", () => {
  /** A server built like the service's that does not wait for the rest of a request. */
  async function impatient() {
    const server = makeServer({
      fetch: () => new Response("never"),
      record: () => {},
      proxies: new TrustedProxies([]),
      openAnswers: new OpenAnswers(),
      options: { headersTimeout: 1, requestTimeout: 1, connectionsCheckingInterval: 1 },
    });
    return { server, address: await addressOf(server) };
  }

  it("is slow gets a timeout error", async () => {
    const { server, address } = await impatient();
    const text = await sendBytes(address, ["GET /ready HTTP/1.1\r\nhost: x"]);
    expectAnswer(text, 408, /^The request did not arrive in time$/);
    server.close();
  });

  it("disconnects in the middle of a body causes no failure of the service", async () => {
    const id = "hung-up";
    const socket = connect(Number(new URL(service.address).port), "127.0.0.1");
    socket.write(upload(`x-request-id: ${id}\r\nexpect: 100-continue\r\ncontent-length: 99\r\n`, "{"));
    socket.once("data", () => socket.resetAndDestroy());
    expect(await lineOf(id)).toMatch(
      /^PUT \S+ 400 \S+ ms \S+ client-request=hung-up from=127\.0\.0\.1 account=\S+ key=\S+$/,
    );
  });

  it.each([
    ["nonsense", "nonsense\r\n\r\n"],
    ["a long address", `GET /${"a".repeat(100_000)}`],
    ["asking for a tunnel", `CONNECT service.example:443 HTTP/1.1\r\n${HOST}\r\n`],
    ["an expectation", `GET /ready HTTP/1.1\r\n${HOST}expect: wonders\r\n\r\n`],
  ])("disconnects after %s leaves the service unchanged", async (_, text) => {
    const hangUps = Array.from({ length: 30 }, async (_, turn) => {
      const socket = connect(Number(new URL(service.address).port), "127.0.0.1");
      const closed = new Promise((resolve) => socket.on("close", resolve));
      socket.on("error", () => {});
      // Before the answer, while it is on its way, and after it.
      if (turn % 3 === 0) socket.write(text, () => socket.resetAndDestroy());
      else if (turn % 3 === 1) socket.write(text, () => setImmediate(() => socket.resetAndDestroy()));
      else socket.on("data", () => socket.resetAndDestroy()).write(text);
      await closed;
    });
    await Promise.all(hangUps);
    expect((await send(service, { path: `/repos/${ORG}` })).status).toBe(200);
  });

  it.each(["999.999.999.999", "[::1]:80", "xn--a.example:99999"])(
    "calls the service %s gets a normal response",
    async (host) => {
      const head = `GET /api/v2/repos/${ORG} HTTP/1.1\r\nhost: ${host}\r\n${key()}connection: close\r\n\r\n`;
      expect(parseAnswer(await sendBytes(service.address, [head]))?.status).toBeOneOf([200, 400]);
    },
  );

  it("speaks HTTP/1.0 without a host gets a response", async () => {
    const text = await sendBytes(service.address, ["GET /ready HTTP/1.0\r\n\r\n"]);
    expect(parseAnswer(text)?.status).toBe(200);
  });

  it("ends the connection within a request gets an error that says what is missing", async () => {
    const socket = connect({
      port: Number(new URL(service.address).port),
      host: "127.0.0.1",
      allowHalfOpen: true,
    });
    const chunks: Buffer[] = [];
    const ended = new Promise((resolve) => socket.on("end", resolve));
    socket.on("data", (chunk) => chunks.push(chunk)).end("GET /ready HTTP/1.1\r\nhost");
    await ended;
    socket.destroy();
    expectAnswer(Buffer.concat(chunks).toString(), 400, /^The request is not valid HTTP/);
  });
});

it("an application that fails returns a 500 that only refers to the log", async () => {
  const recorded: RequestSummary[] = [];
  const server = makeServer({
    fetch: () => Promise.reject(new Error("it broke")),
    record: (request) => recorded.push(request),
    proxies: new TrustedProxies([]),
    openAnswers: new OpenAnswers(),
  });
  const head = `GET /ready HTTP/1.1\r\n${HOST}x-request-id: r1\r\nconnection: close\r\n\r\n`;
  const text = await sendBytes(await addressOf(server), [head]).finally(() => server.close());
  expectAnswer(text, 500, /^The service failed; its log says why under request id [0-9a-f-]{36}$/);
  expect(recorded).toEqual([
    {
      ...{ method: "GET", path: "/ready", status: 500, milliseconds: 0, from: "127.0.0.1" },
      ...{ requestId: expect.stringMatching(/^[0-9a-f-]{36}$/), clientRequestId: "r1" },
      error: new Error("it broke"),
    },
  ]);
});

describe("every request has one response", () => {
  const READY = `GET /ready HTTP/1.1\r\n${HOST}\r\n`;
  const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

  it("in order, if the following bytes are unreadable", async () => {
    const text = await sendBytes(service.address, [`${READY}${READY}nonsense\r\n\r\n`]);
    expect(statuses(text)).toEqual(["200", "200", "400"]);
  });

  it("in order, if the body of the last one is malformed", async () => {
    const broken = upload("transfer-encoding: chunked\r\n", "zz\r\n");
    expect(statuses(await sendBytes(service.address, [`${READY}${broken}`]))).toEqual(["200", "400"]);
  });

  it("and no second one if its body breaks off after that", async () => {
    const socket = connect(Number(new URL(service.address).port), "127.0.0.1");
    const head = `PUT /api/v2/trails/${ORG}/f HTTP/1.1\r\n${HOST}transfer-encoding: chunked\r\n\r\n2\r\n--`;
    let received = "";
    const ended = new Promise((resolve) => socket.on("close", resolve));
    socket.on("data", (chunk) => {
      received += String(chunk);
      if (received.includes("no credentials")) socket.write("\r\nzz\r\n");
    });
    socket.write(head);
    await ended;
    expect(statuses(received)).toEqual(["401"]);
  });
});

describe("only responses of the API are returned for", () => {
  /** Sends bytes and ends, and reads the whole response. */
  const exchange = (bytes: Uint8Array) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(service.address);
      const socket = connect(Number(port), hostname);
      const received: Buffer[] = [];
      socket.on("data", (chunk) => received.push(chunk)).on("error", reject);
      socket.on("end", () => resolve(Buffer.concat(received).toString("latin1")));
      socket.end(bytes);
    });

  const answersIn = (text: string) =>
    text
      .split(/(?=HTTP\/1\.1 \d{3} )/)
      .map(parseAnswer)
      .filter((answer) => answer?.status !== 100);

  async function expectAnswers(bytes: Uint8Array): Promise<void> {
    const before = service.logged.length;
    const text = await exchange(bytes);
    if (bytes.length > 0) expect(text).not.toBe("");
    for (const answer of answersIn(text)) {
      expect(answer?.status, text).toBeLessThan(500);
      expect(answer?.head, text).toMatch(/^x-request-id: \S/im);
      expect(() => JSON.parse(answer?.text ?? ""), text).not.toThrow();
    }
    expect(service.logged.slice(before).filter((line) => / 5\d\d /.test(line))).toEqual([]);
  }

  const VALID = () =>
    Buffer.from(
      `GET /api/v2/repos/${ORG}?page=1 HTTP/1.1\r\n${HOST}${key()}\r\n${upload(
        "content-type: application/json\r\ntransfer-encoding: chunked\r\n",
        '11\r\n{"name":"a","x":1\r\n1\r\n}\r\n0\r\n\r\n',
      )}`,
    );
  const PIECES = [
    "\r\n",
    "\r\n\r\n",
    " ",
    ":",
    "%",
    "?",
    "#",
    "\0",
    "\xff",
    " HTTP/1.1",
    "transfer-encoding: chunked\r\n",
    "content-length: 3\r\n",
    "connection: close\r\n",
    "expect: 100-continue\r\n",
    "expect: x\r\n",
    "upgrade: websocket\r\nconnection: upgrade\r\n",
    "host: x\r\n",
    "host: [\r\n",
    "CONNECT ",
    "DELETE ",
    "http://[/",
    "\\",
  ];
  const runs = (numRuns: number) => ({ seed: 20_300_131, numRuns });

  it("requests with changes anywhere", async () => {
    const change = fc.record({
      at: fc.nat(VALID().length),
      length: fc.nat(30),
      piece: fc.oneof(
        fc.constantFrom(...PIECES).map((text) => Buffer.from(text, "latin1")),
        fc.uint8Array({ maxLength: 6 }),
      ),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        let bytes = VALID();
        for (const { at, length, piece } of changes) {
          bytes = Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + length)]);
        }
        await expectAnswers(bytes);
      }),
      runs(400),
    );
  });

  it("bytes of any kind", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 200 }), expectAnswers),
      runs(200),
    );
  });
});
