import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { exchange, Incomplete } from "../../../../src/net/exchange.ts";
import { AddressRules } from "../../../../src/service/delivery/outgoing/address-rules.ts";
import {
  guarded,
  guardedAgent,
  RefusedAddress,
} from "../../../../src/service/delivery/outgoing/guarded-agent.ts";
import { sendRequest } from "../../../../src/service/delivery/outgoing/send-request.ts";
import { agentFor, listening, receiver } from "./receivers.ts";

/** Ways to write an address of this machine as the host of a URL. */
const LOOPBACK = [
  ...[
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "127.127.127.127",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0x7f.0.0.0x1",
  ],
  ...["0177.0.0.1", "017700000001", "0177.1", "127.0.0.1.", "0", "0.0.0.0", "0x0", "127.000.000.001"],
  ...["①②⑦.⓪.⓪.①", "127。0。0。1", "%31%32%37.0.0.1"],
  ...["[::1]", "[0:0:0:0:0:0:0:1]", "[::]", "[::127.0.0.1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"],
  ...["[0:0:0:0:0:ffff:7f00:1]", "[::FFFF:127.0.0.1]", "[64:ff9b::127.0.0.1]", "[64:ff9b::7f00:1]"],
  ...["[64:ff9b:1::7f00:1]", "[2002:7f00:1::]", "[::7f00:1]"],
];
/** Others that no notification may reach. */
const INNER = [
  ...["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.254", "192.168.1.1", "3232235777", "0xa.1"],
  ...["100.64.0.1", "100.127.255.255", "169.254.0.1", "169.254.169.254", "0xa9fea9fe", "2852039166"],
  ...["169.254.170.2", "100.100.100.200", "168.63.129.16", "192.0.0.8", "192.0.2.1", "192.88.99.1"],
  ...["198.18.0.1", "198.19.255.255", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1"],
  ...["255.255.255.255", "[fc00::1]", "[fd12:3456::1]", "[fd00:ec2::254]", "[fe80::1]", "[fec0::1]"],
  ...[
    "[ff02::1]",
    "[2001:db8::1]",
    "[2001::1]",
    "[2001:20::1]",
    "[3fff::1]",
    "[5f00::1]",
    "[100::1]",
    "[2002:a00:1::]",
  ],
  ...["[::ffff:10.0.0.1]", "[::ffff:a9fe:a9fe]", "[64:ff9b::a00:1]", "[64:ff9b::169.254.169.254]"],
  ...["[64:ff9b::168.63.129.16]", "[4000::1]", "[1::1]", "[::2]"],
];
const ADDRESSES = [...LOOPBACK, ...INNER];
/** Names that are never resolved. */
const NAMES = ["localhost", "LOCALHOST", "localhost.", "a.localhost", "metadata.google.internal", "metadata"];
const WAYS = [...ADDRESSES, ...NAMES];

/** Listens on every address of this machine, in both IP versions. */
function everywhere() {
  return listening(
    createServer((_, response) => response.end("inside")),
    "::",
  );
}

const send = (agent: ReturnType<typeof guardedAgent>, url: string) =>
  sendRequest({ agent, url, headers: {}, body: "{}" });

describe(`${WAYS.length} ways to write a forbidden address`, () => {
  test("are all refused, and nothing connects", async () => {
    const inside = await everywhere();
    const agent = agentFor({ allowTargets: [] });
    const outcomes = await Promise.all(
      WAYS.map(async (host) => [host, (await send(agent, `http://${host}:${inside.port}/`)).outcome]),
    );

    expect(outcomes).toEqual(WAYS.map((host) => [host, "refused_address"]));
    expect(inside.connections()).toBe(0);
  });

  test("open no connection even if the URL is not checked first", async () => {
    const inside = await everywhere();
    const { connections } = agentFor({ allowTargets: [] });
    const { signal } = new AbortController();
    const errors = await Promise.all(
      ADDRESSES.map((host) => {
        const url = new URL(`http://${host}:${inside.port}`);
        const request = exchange(connections, { method: "POST", url, headers: {} }, { signal, maxBytes: 1 });
        return request.catch((error: unknown) => (error instanceof Incomplete ? error.cause : error));
      }),
    );

    for (const error of errors) expect(error).toBeInstanceOf(RefusedAddress);
    expect(inside.connections()).toBe(0);
  });

  test("are refused behind a name too, also beside a public address", async () => {
    const inside = await everywhere();
    const addresses = ADDRESSES.map((host) =>
      new URL(`http://${host}`).hostname.replace(/^\[(.*)\]$/, "$1"),
    ).concat("fe80::1%1", "::1%lo");
    const answers = addresses.flatMap((address) => {
      const found = { address, family: address.includes(":") ? 6 : 4 };
      const open = { address: "8.8.8.8", family: 4 };
      return [[found], [open, found], [found, open]];
    });
    const outcomes = await Promise.all(
      answers.map(async (answer) => {
        const agent = agentFor({ allowTargets: [], lookup: async () => answer });
        return (await send(agent, `http://receiver.example:${inside.port}/`)).outcome;
      }),
    );

    expect(outcomes.filter((outcome) => outcome !== "refused_address")).toEqual([]);
    expect(inside.connections()).toBe(0);
  });
});

test("reach a real server, to which they connect if allowed", async () => {
  const inside = await everywhere();
  const agent = agentFor({ allowTargets: ["0.0.0.0/8", "127.0.0.0/8", "::1", "::"] });
  const ways = LOOPBACK.filter((host) => !/^\[(?:64|2002|::7f|::127)/.test(host)).concat("localhost");
  const results = await Promise.all(ways.map((host) => send(agent, `http://${host}:${inside.port}/`)));

  expect(results.map(({ outcome }, index) => [ways[index], outcome])).toEqual(
    ways.map((host) => [host, "delivered"]),
  );
  expect(ways.length).toBeGreaterThan(25);
  expect(inside.connections()).toBeGreaterThan(0);
});

describe("a network that allows everything", () => {
  const EVERYTHING = [
    "::/0",
    "0.0.0.0/0",
    "::ffff:0:0/96",
    "64:ff9b::/96",
    "0.0.0.0/1",
    "128.0.0.0/1",
    "fc00::/7",
  ];
  const METADATA = [
    ...["169.254.169.254", "169.254.170.2", "169.254.170.23", "100.100.100.200", "168.63.129.16"],
    ...[
      "fd00:ec2::254",
      "fd00:ec2::23",
      "::ffff:169.254.169.254",
      "64:ff9b::a9fe:a9fe",
      "169.254.0.1",
      "fe80::1",
    ],
  ];

  test("allows inner addresses, but neither this machine nor a cloud's metadata", async () => {
    const inside = await everywhere();
    const agent = agentFor({ allowTargets: EVERYTHING });
    const ways = LOOPBACK.filter((host) => !/^\[(?:64:ff9b:1|2002|::7f|::127)/.test(host));
    const results = await Promise.all(ways.map((host) => send(agent, `http://${host}:${inside.port}/`)));
    expect(results.map(({ outcome }) => outcome)).toEqual(ways.map(() => "refused_address"));
    expect(inside.connections()).toBe(0);
    const rules = new AddressRules(EVERYTHING);
    for (const address of METADATA) expect([address, rules.problemOf(address)]).not.toContain(undefined);
    for (const address of ["10.1.2.3", "192.168.1.1", "fd12:3456::1"]) {
      expect([address, rules.problemOf(address)]).toEqual([address, undefined]);
    }
  });

  test("allows those that are listed in addition", () => {
    const named = new AddressRules([...EVERYTHING, "127.0.0.0/16", "169.254.169.254", "169.254.0.0/16"]);
    const allowed = ["127.0.0.1", "::ffff:127.0.0.1", "169.254.169.254", "169.254.0.1"];
    for (const address of allowed) expect([address, named.problemOf(address)]).toEqual([address, undefined]);
    for (const address of ["127.1.0.1", "::1", "169.254.170.2"]) {
      expect([address, named.problemOf(address)]).not.toContain(undefined);
    }
  });
});

test("a name that was public at first is resolved again for a new connection, and then refused", async () => {
  const inside = await receiver((_, response) => response.writeHead(200, { connection: "close" }).end());
  const answers = ["127.0.0.1", "127.0.0.2", "10.0.0.1"];
  const agent = agentFor({
    allowTargets: ["127.0.0.1"],
    lookup: async () => [{ address: answers.shift() ?? "", family: 4 }],
  });
  const url = `http://receiver.example:${inside.port}/`;

  expect(await send(agent, url)).toMatchObject({ outcome: "delivered" });
  expect(await send(agent, url)).toMatchObject({
    outcome: "refused_address",
    detail: "receiver.example has a refused address: 127.0.0.2 is a loopback address",
  });
  expect(await send(agent, url)).toMatchObject({ outcome: "refused_address" });
  expect(inside.connections()).toBe(1);
});

test("a connection to a refused address is closed before anything is sent, whatever was resolved", async () => {
  const sent: Buffer[] = [];
  const server = createServer();
  server.on("connection", (socket) => socket.on("data", (bytes: Buffer) => sent.push(bytes)));
  const inside = await listening(server);
  const rules = new AddressRules([]);
  const elsewhere = guarded((_, callback) => {
    const socket = connect(inside.port, "127.0.0.1");
    socket.once("connect", () => callback(null, socket));
  }, rules);
  const { promise, resolve } = Promise.withResolvers<unknown[]>();
  elsewhere({ protocol: "http:", hostname: "receiver.example", port: "80" }, (...result) => resolve(result));

  const [error, socket] = await promise;
  expect(error).toEqual(
    new RefusedAddress("The connection reached a refused address: 127.0.0.1 is a loopback address"),
  );
  expect(socket).toBeNull();
  const left = once(server, "close");
  server.close();
  await left;
  expect(sent).toEqual([]);
});

test("no proxy of the environment is used", async () => {
  const proxy = await receiver((_, response) => response.end());
  const target = await receiver((_, response) => response.end("direct"));
  const before = { ...process.env };
  for (const name of ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"]) {
    process.env[name] = `http://127.0.0.1:${proxy.port}`;
  }
  process.env["NODE_USE_ENV_PROXY"] = "1";
  onTestFinished(() => {
    process.env = before;
  });

  expect(await send(agentFor(), `http://127.0.0.1:${target.port}/`)).toMatchObject({ answer: "direct" });
  expect(proxy.connections()).toBe(0);
});

describe("the operator's networks", () => {
  test("allow only their own addresses, in every notation", () => {
    const rules = new AddressRules(["10.1.0.0/16", "fd00:1::/32", "192.168.7.7"]);
    const open = ["10.1.2.3", "::ffff:10.1.2.3", "64:ff9b::10.1.2.3", "fd00:1::5", "192.168.7.7", "8.8.8.8"];
    expect(open.map((address) => rules.problemOf(address))).toEqual(open.map(() => undefined));
    const shut = ["10.2.0.1", "fd00:2::5", "192.168.7.8", "127.0.0.1", "64:ff9b::10.2.0.1", "no address"];
    expect(shut.filter((address) => rules.problemOf(address) === undefined)).toEqual([]);
  });

  test.each([
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0/8",
    "fd00::/129",
    "hooks.example.com",
    "",
    "10.0.0.0/8/8",
    "10.0.0.0/-1",
  ])("that are invalid are named at the start: '%s'", (entry) => {
    expect(() => guardedAgent({ allowTargets: [entry] })).toThrow(
      `'${entry}' is neither an address nor a network such as 10.0.0.0/8`,
    );
  });
});

test("public addresses may be reached", () => {
  const rules = new AddressRules([]);
  const open = [
    ...["1.1.1.1", "8.8.8.8", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.1", "192.0.1.1"],
    ...["169.253.1.1", "168.63.129.17", "223.255.255.255", "11.0.0.1", "9.255.255.255", "198.20.0.1"],
    ...["2606:4700::1111", "2a00:1450::1", "2001:4860:4860::8888", "64:ff9b::8.8.8.8", "::ffff:8.8.8.8"],
  ];
  expect(open.flatMap((address) => rules.problemOf(address) ?? [])).toEqual([]);
});
