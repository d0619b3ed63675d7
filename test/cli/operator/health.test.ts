import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { afterEach, beforeEach, expect, it } from "vitest";
import { VERSION } from "../../../src/api/version.ts";
import { type ServedProgram, serveProgram } from "../program.ts";

let data = "";
let service: ServedProgram;
let dispatcher: Agent;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "evidence-health-"));
  dispatcher = new Agent();
  service = await serveProgram(["--data", data]);
});
afterEach(async () => {
  await dispatcher.close();
  await service.stop("SIGKILL");
  await rm(data, { recursive: true });
});

const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

async function ask(path: string) {
  const { statusCode, headers, body } = await request(service.address + path, { dispatcher });
  return {
    status: statusCode,
    type: headers["content-type"],
    version: headers["x-version"],
    text: await body.text(),
  };
}

it("a working service is ready and healthy, also for anonymous requests", async () => {
  expect(await ask("/ready")).toEqual({
    status: 200,
    type: "text/plain; charset=utf-8",
    version: VERSION,
    text: "OK",
  });
  await expect
    .poll(async () => Object.keys(JSON.parse((await ask("/health")).text).jobs).sort())
    .toEqual([
      "deliveries",
      "evaluations",
      "keys",
      "log",
      "prune",
      "quiet-trails",
      "scim",
      "sessions",
      "sweep",
      "tokens",
    ]);
  const { status, type, text } = await ask("/health");
  expect([status, type, JSON.parse(text)]).toEqual([
    200,
    "application/json",
    {
      status: "OK",
      version: VERSION,
      since: TIME,
      records: { engine: "sqlite", schema: expect.stringMatching(/^\d{4}-/), readable: true, writable: true },
      attachments: { writable: true, changed: 0, missing: 0 },
      jobs: {
        deliveries: { failing: false, last_run: TIME, last_success: TIME },
        evaluations: { failing: false, last_run: TIME, last_success: TIME },
        keys: { failing: false, last_run: TIME, last_success: TIME },
        log: { failing: false, last_run: TIME, last_success: TIME },
        prune: { failing: false, last_run: TIME, last_success: TIME },
        "quiet-trails": { failing: false, last_run: TIME, last_success: TIME },
        scim: { failing: false, last_run: TIME, last_success: TIME },
        sessions: { failing: false, last_run: TIME, last_success: TIME },
        sweep: { failing: false, last_run: TIME, last_success: TIME },
        tokens: { failing: false, last_run: TIME, last_success: TIME },
      },
      notification_targets: { failing: 0, ended: 0 },
      instances: [{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), version: VERSION, since: TIME }],
    },
  ]);
});

/** Simulates a full disk: no file of the process may grow beyond its first byte. */
const mayGrow = (limit: "1:unlimited" | "unlimited") =>
  execFileSync("prlimit", ["--pid", String(service.child.pid), `--fsize=${limit}`]);

it("a service that cannot write is ready for reads and says why it cannot, until it can", async () => {
  expect((await ask("/ready")).text).toBe("OK");
  mayGrow("1:unlimited");
  await expect
    .poll(() => ask("/ready"))
    .toMatchObject({
      status: 200,
      type: "text/plain; charset=utf-8",
      text: "OK\nThe records cannot be written: disk I/O error",
    });
  const { status, text: json } = await ask("/health");
  expect([status, JSON.parse(json)]).toMatchObject([
    503,
    {
      status: "The records cannot be written: disk I/O error",
      version: VERSION,
      records: { readable: true, writable: false },
    },
  ]);
  mayGrow("unlimited");
  await expect.poll(async () => (await ask("/ready")).text).toBe("OK");
});

it("a service that cannot store attachments reports it, and is ready for all other requests", async () => {
  await rm(join(data, "incoming"), { recursive: true });
  await expect.poll(async () => (await ask("/health")).status).toBe(503);
  expect(JSON.parse((await ask("/health")).text)).toMatchObject({
    status: "Attachments cannot be written: ENOENT",
    records: { readable: true, writable: true },
    attachments: { writable: false },
  });
  expect(await ask("/ready")).toMatchObject({
    status: 200,
    text: "OK\nAttachments cannot be written: ENOENT",
  });
});
