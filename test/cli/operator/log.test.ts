import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { VERSION } from "../../../src/api/version.ts";
import { logFormat } from "../../../src/cli/operator/serve.ts";
import { jsonLog } from "../../../src/service/ops/json-log.ts";
import { COMPILE_CACHE } from "../../program-variables.ts";
import { CLI } from "../command.ts";
import { runProgram, type ServedProgram, serveProgram } from "../program.ts";

const KEY = "an-admin-key-of-the-operators-choice";

describe("serve writes its log", () => {
  const formatOf = (interactive: boolean, environment = {}, option?: string) =>
    logFormat(option, { interactive, environment });

  it("as text on a terminal and as JSON elsewhere by default", () => {
    expect([formatOf(true), formatOf(false)]).toEqual(["text", "json"]);
    expect(formatOf(true, { EVIDENCE_LOG: "json" })).toBe("json");
    expect(formatOf(false, { EVIDENCE_LOG: "json" }, "text")).toBe("text");
  });
});

it("an error is written with its causes and with none of its other properties", () => {
  const lines: string[] = [];
  const cause = Object.assign(new TypeError("no\u2028luck"), { password: "s3cret" });
  jsonLog((line) => lines.push(line))({
    level: "error",
    message: "It failed",
    error: Object.assign(new Error("outer", { cause }), { headers: { authorization: "s3cret" } }),
  });
  expect(lines.join()).not.toMatch(/s3cret|\u2028/);
  expect(JSON.parse(lines[0] ?? "")).toEqual({
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    level: "error",
    message: "It failed",
    error: {
      name: "Error",
      message: "outer",
      stack: expect.stringMatching(/^Error: outer\n {4}at [\s\S]*; caused by TypeError: no\u2028luck\n/),
    },
  });
});

describe("a service whose output cannot be written", () => {
  let data = "";
  let service: ChildProcess;
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), "evidence-lost-log-"));
  });
  afterEach(async () => {
    const ended = once(service, "close");
    if (service.exitCode === null && service.kill("SIGKILL")) await ended;
    await rm(data, { recursive: true });
  });

  /** Starts the service on a port that was free a moment ago. */
  async function start(stdio: StdioOptions): Promise<string> {
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, "close");
    const args = [CLI, "serve", "--data", data, "--org", "acme", "--workers", "1", "--port", String(port)];
    service = spawn(process.execPath, args, { env: COMPILE_CACHE, stdio });
    const address = `http://127.0.0.1:${port}`;
    await expect
      .poll(() =>
        fetch(`${address}/ready`)
          .then(({ status }) => status)
          .catch(() => 0),
      )
      .toBe(200);
    return address;
  }
  const lostLines = async (address: string) => {
    const text = await (await fetch(`${address}/metrics`)).text();
    return Number(/^evidence_log_lines_lost_total (\d+)$/m.exec(text)?.[1]);
  };

  it("continues when the disk of its log is full, and counts the lines", async () => {
    const full = openSync("/dev/full", "w");
    const address = await start(["ignore", full, full]);
    closeSync(full);
    const before = await lostLines(address);
    expect(before).toBeGreaterThan(1);
    for (let i = 0; i < 5; i++) expect((await fetch(`${address}/nowhere`)).status).toBe(404);
    expect(await lostLines(address)).toBe(before + 6);
  });

  it("continues when the reader of its log disconnects", async () => {
    const address = await start(["ignore", "pipe", "pipe"]);
    const before = await lostLines(address);
    service.stdout?.destroy();
    service.stderr?.destroy();
    for (let i = 0; i < 5; i++) expect((await fetch(`${address}/nowhere`)).status).toBe(404);
    await expect.poll(() => lostLines(address)).toBeGreaterThan(before);
    expect((await fetch(`${address}/ready`)).status).toBe(200);
  });
});

it("a command whose output cannot be written fails", () => {
  expect(runProgram(["--help"], { before: "exec >/dev/full" }).status).toBe(1);
});

describe("the log of a program", () => {
  let data = "";
  let service: ServedProgram;
  const dispatcher = new Agent();
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), "evidence-log-"));
    service = await serveProgram(["--data", data, "--org", "acme", "--trusted-proxies", "127.0.0.1"], {
      env: { EVIDENCE_ADMIN_KEY: KEY },
    });
  });
  afterEach(async () => {
    await dispatcher.close();
    await service.stop("SIGKILL");
    await rm(data, { recursive: true });
  });

  const ask = async (path: string, headers: Record<string, string>) => {
    const { body } = await request(service.address + path, { dispatcher, headers });
    await body.dump();
  };

  it("has an object on each line with the request, and loses none when the service is stopped", async () => {
    await ask("/api/v2/repos/acme?name=private", {
      authorization: `Bearer ${KEY}`,
      "x-request-id": "r1",
      forwarded: 'for="[2001:db8::1]:4711"',
    });
    await ask("/api/v2/repos/acme", { authorization: "Bearer another", forwarded: 'for="\\"injected"' });
    const requests = Array.from({ length: 200 }, (_, i) => ask("/nowhere", { "x-request-id": `n${i}` }));
    await Promise.all(requests);
    expect(await service.stop("SIGTERM")).toBe(0);

    const text = service.errors();
    expect(text).not.toMatch(/private|another|an-admin-key|injected/);
    const lines = text.trimEnd().split("\n");
    const entries = lines.map((line): Record<string, unknown> => JSON.parse(line));
    const common = { time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), level: "info" };
    expect(entries[0]).toEqual({ ...common, message: `Version ${VERSION} listens on ${service.address}` });
    const of = { ...common, method: "GET", operation: "listRepos", path: "/api/v2/repos/acme" };
    expect(entries[1]).toEqual({
      ...of,
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      client_request_id: "r1",
      address: "2001:db8::1",
      account: "admin",
      key_id: expect.stringMatching(/^[0-9a-f-]{32}$/),
      status: 200,
      milliseconds: expect.any(Number),
    });
    expect(entries[2]).toEqual({
      ...of,
      request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      address: "127.0.0.1",
      status: 401,
      milliseconds: expect.any(Number),
    });
    const ids = entries.flatMap(({ path, client_request_id: id }) => (path === "/nowhere" ? [id] : []));
    expect(ids.sort()).toEqual(Array.from({ length: 200 }, (_, i) => `n${i}`).sort());
    expect(entries.at(-1)).toEqual({ ...common, message: "The service has stopped" });
  });
});
