import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { get as getSecurely } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connect as connectSecurely, type TLSSocket } from "node:tls";
import { Agent, FormData, request } from "undici";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Certificate, selfSigned } from "../api/certificates.ts";
import { closedPort } from "../api/local-server.ts";
import { type ServedProgram, serveProgram } from "../cli/program.ts";
import { deploymentFile, has, replaced } from "./deployment-files.ts";

const KEY = "an-admin-key-of-the-operators-choice";
const authorization = `Bearer ${KEY}`;
/** Timeouts between two pieces of a request or response in the files, and the shorter ones used here. */
const [IN_THE_FILE, HERE] = ["60s", "1s"];
/** A client that is not the proxy: Linux has all of 127.0.0.0/8. */
const CLIENT = "127.0.0.2";

/** The start of a body, longer than proxies buffer. */
const SOME = Buffer.alloc(256 * 1024, " ");

interface Place {
  readonly folder: string;
  readonly port: number;
  readonly certificate: Certificate;
  readonly keyPath: string;
  /** `host:port` of each instance. */
  readonly upstreams: readonly string[];
}

interface Proxy {
  readonly name: string;
  readonly isHere: boolean;
  /** The command that runs it in the foreground, with the file that we ship. */
  command(place: Place): readonly string[];
  readonly env?: (place: Place) => Record<string, string>;
}

const proxies: readonly Proxy[] = [
  {
    name: "nginx",
    isHere: has("nginx", "-v"),
    command({ folder, port, certificate, keyPath, upstreams }) {
      const servers = upstreams
        .map((upstream) => `server ${upstream} max_fails=1 fail_timeout=2s;`)
        .join("\n");
      const changes = [
        ["listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`],
        ["    listen [::]:443 ssl;\n", ""],
        ["/etc/ssl/delivery-evidence/fullchain.pem", certificate.path],
        ["/etc/ssl/delivery-evidence/privkey.pem", keyPath],
        ["server 127.0.0.1:8800 max_fails=1 fail_timeout=2s;", servers],
        [IN_THE_FILE, HERE],
      ] as const;
      const site = changes.reduce(
        (text, [piece, by]) => replaced(text, piece, by),
        deploymentFile("nginx.conf"),
      );
      const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
      writeFileSync(
        join(folder, "nginx.conf"),
        [
          // Its workers must read files that only their owner may read.
          ...(process.getuid?.() === 0 ? ["user root;"] : []),
          `daemon off; pid ${folder}/pid; error_log stderr; events {}`,
          `http { access_log off; ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(" ")}`,
          `${site} }`,
        ].join("\n"),
      );
      return ["nginx", "-p", folder, "-c", join(folder, "nginx.conf")];
    },
  },
  {
    name: "Caddy",
    isHere: has("caddy", "version"),
    command({ folder, certificate, keyPath }) {
      const own = `{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n`;
      const text = deploymentFile("Caddyfile").replace(/^\{$/m, own);
      const path = join(folder, "Caddyfile");
      const checked = replaced(text, "health_interval 2s", "health_interval 200ms");
      writeFileSync(
        path,
        checked.replace(/(EVIDENCE_SITE.* \{)$/m, `$1\n\ttls ${certificate.path} ${keyPath}`),
      );
      return ["caddy", "run", "--config", path, "--adapter", "caddyfile"];
    },
    env: ({ folder, port, upstreams }) => ({
      ...{ EVIDENCE_SITE: `https://localhost:${port}`, EVIDENCE_UPSTREAMS: upstreams.join(" ") },
      ...{ HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    }),
  },
];

interface Running {
  readonly name: string;
  readonly port: number;
  readonly certificate: Certificate;
  /** Sends requests to the proxy, from an address that is not the proxy's. */
  readonly dispatcher: Agent;
}

const here = proxies.filter(({ isHere }) => isHere);
/** 100 MB, unless the requests have no receiver. */
const FILES = here.length === 0 ? [] : Array.from({ length: 10 }, () => randomBytes(10 * 1024 * 1024));

const folder = mkdtempSync(join(tmpdir(), "evidence-proxies-"));
const instances: ServedProgram[] = [];

beforeAll(async () => {
  if (here.length === 0) return;
  const started = ["one", "two"].map((name) => {
    const args = [
      ...["--data", join(folder, name), "--org", "acme", "--log", "json", "--metrics-port", "0"],
      ...["--trusted-proxies", "127.0.0.1", "--public-url", "https://localhost", "--drain-seconds", "1"],
    ];
    return serveProgram(args, { env: { EVIDENCE_ADMIN_KEY: KEY } });
  });
  instances.push(...(await Promise.all(started)));
});
afterAll(async () => {
  for (const { child } of instances) await ended(child);
  rmSync(folder, { recursive: true });
});

/** A proxy with the file that we ship, in front of the two instances. */
async function start({ name, command, env }: Proxy): Promise<Running> {
  const port = await closedPort();
  const certificate = selfSigned(["localhost"]);
  const keyPath = join(folder, `${name}.key`);
  writeFileSync(keyPath, certificate.key, { mode: 0o600 });
  const upstreams = instances.map(({ address }) => new URL(address).host);
  const place = { folder, port, certificate, keyPath, upstreams };
  const [program = "", ...args] = command(place);
  const child = spawn(program, args, {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PATH: process.env["PATH"], ...env?.(place) },
  });
  onTestFinished(() => ended(child));
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += text;
  });
  const dispatcher = new Agent({ localAddress: CLIENT, connect: { ca: certificate.cert } });
  onTestFinished(() => dispatcher.destroy());
  const running = { name, port, certificate, dispatcher };
  const ready = async () => (await ask(running, "/ready").catch(() => undefined))?.status;
  await expect
    .poll(ready)
    .toBe(200)
    .catch((error: unknown) => {
      throw new Error(errors, { cause: error });
    });
  return running;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}

async function ask(
  { port, dispatcher }: Pick<Running, "port" | "dispatcher">,
  path: string,
  {
    method = "GET",
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: FormData } = {},
) {
  const answer = await request(`https://localhost:${port}${path}`, {
    ...{ method, dispatcher, headers: { authorization, ...headers } },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}

function attestation(files: readonly Uint8Array[] = []): FormData {
  const body = new FormData();
  body.append("data_json", JSON.stringify({ attestation_name: "lint", is_compliant: true }));
  for (const [at, file] of files.entries())
    body.append(`attachment_file.${at}`, new Blob([file]), `file-${at}`);
  return body;
}

/** A raw connection to the proxy for a test. */
async function connected({ port, certificate }: Running): Promise<TLSSocket> {
  const socket = connectSecurely({ host: "127.0.0.1", port, servername: "localhost", ca: certificate.cert });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => {});
  await once(socket, "secureConnect");
  return socket;
}

const head = (path: string, length: number) =>
  `POST ${path} HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n` +
  `content-type: multipart/form-data; boundary=b\r\ncontent-length: ${length}\r\n\r\n`;

/** The log lines of the instances for requests to a path. */
function logged(path: string): { address: string }[] {
  const lines = instances.flatMap((instance) => instance.errors().split("\n"));
  return lines.filter((line) => line.includes(`"path":"${path}"`)).map((line) => JSON.parse(line));
}

async function inFlight(): Promise<number> {
  const counts = instances.map(async (instance) => {
    const place = /The metrics are at ([^"]+)/.exec(instance.errors())?.[1] ?? "";
    const { body } = await request(place);
    return Number(/^evidence_http_requests_in_flight (\d+)$/m.exec(await body.text())?.[1]);
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}

describe.each(proxies)("the service behind $name", (proxy) => {
  const { isHere } = proxy;
  test(isHere ? "as our file sets it up" : "was not tried: it is not on this machine", async () => {
    if (!isHere) return;
    const running = await start(proxy);

    // A client cannot choose its address.
    const headers = { "x-forwarded-for": "192.0.2.1", forwarded: "for=192.0.2.2" };
    const seen = `/api/v2/flows/acme/${running.name}`;
    await ask(running, seen, { headers });
    await expect.poll(() => logged(seen)).toMatchObject([{ address: CLIENT }]);

    // 100 MB of attachments are uploaded.
    const path = (trail: string) => `/api/v2/attestations/acme/${running.name}/trail/${trail}/generic`;
    const sent = await ask(running, path("large"), { method: "POST", body: attestation(FILES) });
    expect(sent).toMatchObject({ status: 201 });

    // An archive is downloaded by a reader who takes longer in total than any one timeout.
    const some = attestation(FILES.slice(0, 2));
    expect(await ask(running, path("some"), { method: "POST", body: some })).toMatchObject({
      status: 201,
    });
    expect(
      await readSlowly(running, `/api/v2/trails/acme/${running.name}/some/audit_package`),
    ).toBeGreaterThan(20e6);

    // The service gets a request whose body is still being sent.
    const held = await connected(running);
    held.write(head(path("held"), 2 * SOME.length));
    held.write(SOME);
    await expect.poll(() => atLeastFor(5, inFlight)).toBeGreaterThanOrEqual(1);

    // A body that is too large is refused with the service's message.
    const large = await connected(running);
    let answer = "";
    large.on("data", (text) => {
      answer += text;
    });
    large.write(head(path("huge"), 300e6));
    // Caddy forwards the response once more of the body has arrived.
    const sending = setInterval(() => large.write(SOME), 20);
    onTestFinished(() => clearInterval(sending));
    await expect.poll(() => answer).toMatch(/^HTTP\/1\.1 413 [\s\S]*"message":/);
    clearInterval(sending);

    // The proxy opens no connection for each request.
    const before = connectionsToInstances();
    for (let i = 0; i < 20; i++) await ask(running, "/ready");
    expect(connectionsToInstances() - before).toBeLessThan(10);
  });
});

const title = here.length === 0 ? "was not tested: no proxy is on this machine" : "goes unnoticed by clients";
test(`a restart of an instance ${title}`, async () => {
  const running = await Promise.all(here.map(start));
  expect(await restart(running)).toEqual(running.map(() => [201]));
});

/**
 * Reads a response in small steps that take three times as long as any step may, and returns its size. Each instance
 * has separate records here, so each one that has the file is called in turn.
 */
async function readSlowly(running: Running, path: string): Promise<number> {
  const incoming = await opened(running, path);
  if (incoming.statusCode === 404) {
    incoming.resume();
    await once(incoming, "end");
    return await readSlowly(running, path);
  }
  let size = 0;
  let pauses = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > (pauses + 1) * 1e6 && pauses < 15) {
      pauses++;
      await delay(200);
    }
  }
  return incoming.complete ? size : 0;
}

async function opened({ port, certificate }: Running, path: string): Promise<IncomingMessage> {
  const options = { host: "127.0.0.1", port, servername: "localhost", ca: certificate.cert, path };
  const headers = { authorization, host: `localhost:${port}` };
  return new Promise((resolve, reject) => {
    getSecurely({ ...options, headers }, resolve).on("error", reject);
  });
}

/** The minimum of several samples: connections of health checks are short. */
async function atLeastFor(looks: number, count: () => Promise<number>): Promise<number> {
  const counts = [];
  for (let look = 0; look < looks; look++) counts.push(await count());
  return Math.min(...counts);
}

/** Connections that instances have, or had recently, by Linux's own table. */
function connectionsToInstances(): number {
  const table = "/proc/net/tcp";
  if (!existsSync(table)) return 0;
  const ports = instances.map(({ address }) => Number(new URL(address).port).toString(16).toUpperCase());
  // Which side of a closed one is listed depends on which one closed it.
  const listed = (row: string) => ports.some((port) => row.includes(`:${port.padStart(4, "0")} `));
  return readFileSync(table, "utf8").split("\n").filter(listed).length;
}

/** Stops one of the instances under load, and returns the statuses of all responses by each proxy. */
async function restart(running: readonly Running[]): Promise<number[][]> {
  const statuses = running.map((): number[] => []);
  let over = false;
  const clients = running.flatMap((proxy, at) =>
    [1, 2, 3].map(async (name) => {
      for (let i = 0; !over; i++) statuses[at]?.push(await submit(proxy, `t-${name}-${i}`));
    }),
  );
  const grown = (by: readonly number[][]) =>
    statuses.every(({ length }, at) => length > 30 + (by[at]?.length ?? 0));
  await expect.poll(() => grown([])).toBe(true);
  await instances[0]?.stop("SIGTERM");
  const before = statuses.map((found) => [...found]);
  await expect.poll(() => grown(before)).toBe(true);
  over = true;
  await Promise.all(clients);
  return statuses.map((found) => [...new Set(found)]);
}

/**
 * Records something as the actions do. nginx notices that an instance leaves only when it is gone: it answers 502 to the
 * request being sent there, and that is sent again. Caddy polls `/ready`.
 */
async function submit(proxy: Running, trail: string): Promise<number> {
  const path = `/api/v2/attestations/acme/load/trail/${trail}/generic`;
  const sent = { method: "POST", body: attestation(), headers: { "idempotency-key": trail } };
  const { status } = await ask(proxy, path, sent);
  return status === 502 && proxy.name === "nginx" ? (await ask(proxy, path, sent)).status : status;
}
