import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, FormData, request } from "undici";
import { afterEach, beforeEach, expect, it } from "vitest";
import { hold } from "../../service/held-request.ts";
import { type ServedProgram, serveProgram } from "../program.ts";

const KEY = "an-admin-key-of-the-operators-choice";
const authorization = `Bearer ${KEY}`;

let folder = "";
let dispatcher: Agent;
/** A separate prober, which is never queued behind the requests it checks. */
let prober: Agent;
const running: ServedProgram[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "evidence-drain-"));
  dispatcher = new Agent();
  prober = new Agent();
});
afterEach(async () => {
  await dispatcher.destroy();
  await prober.destroy();
  for (const service of running.splice(0)) await service.stop("SIGKILL");
  await rm(folder, { recursive: true });
});

async function serve(name: string, drainSeconds: number): Promise<ServedProgram> {
  const args = ["--data", join(folder, name), "--org", "acme", "--log", "json"];
  const env = { EVIDENCE_ADMIN_KEY: KEY, EVIDENCE_DRAIN_SECONDS: String(drainSeconds) };
  const service = await serveProgram(args, { env });
  running.push(service);
  return service;
}

const isReady = async ({ address }: ServedProgram) => {
  const { statusCode, body } = await request(`${address}/ready`, { dispatcher: prober });
  await body.dump();
  return statusCode === 200;
};

async function attest({ address }: ServedProgram, trail: string): Promise<number> {
  const body = new FormData();
  body.append("data_json", JSON.stringify({ attestation_name: "lint", is_compliant: true }));
  const answer = await request(`${address}/api/v2/attestations/acme/load/trail/${trail}/generic`, {
    ...{ method: "POST", body, dispatcher },
    headers: { authorization, "idempotency-key": trail },
  });
  await answer.body.dump();
  return answer.statusCode;
}

it("a stopped service finishes open requests, and asks clients to disconnect", async () => {
  const service = await serve("one", 0);
  const { port } = new URL(service.address);
  const body = Buffer.from(
    JSON.stringify({ name: "held", description: "", visibility: "private", template: ["unit"] }),
  );
  const headers = { authorization, "content-type": "application/json", connection: "keep-alive" };
  const target = "/api/v2/flows/acme";
  using held = await hold({ address: service.address, method: "PUT", target, headers, body });
  await expect.poll(async () => await isReady(service)).toBe(true);

  const stopped = service.stop("SIGTERM");
  const refused = async () => {
    const socket = connect(Number(port), "127.0.0.1");
    return await once(socket, "connect").then(
      () => socket.destroy() && false,
      (error: NodeJS.ErrnoException) => error.code === "ECONNREFUSED",
    );
  };
  await expect.poll(refused).toBe(true);
  const answer = await held.finish();
  expect(answer?.status).toBe(201);
  expect(answer?.head).toMatch(/^connection: close$/im);
  expect(await stopped).toBe(0);
  const lines = service.errors().trimEnd().split("\n");
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ message: "The service has stopped" });
});

it("a draining service answers everything except /ready; another signal ends it at once", async () => {
  const service = await serve("one", 60);
  const exited = once(service.child, "exit");
  service.child.kill("SIGTERM");
  await expect.poll(async () => await isReady(service)).toBe(false);
  const { statusCode, headers, body } = await request(`${service.address}/ready`, { dispatcher });
  expect([statusCode, headers.connection, await body.text()]).toEqual([
    503,
    "close",
    "The service is about to stop",
  ]);
  const health = await request(`${service.address}/health`, { dispatcher });
  expect([health.statusCode, await health.body.json()]).toMatchObject([
    503,
    { status: "The service is about to stop", records: { readable: true, writable: true } },
  ]);
  expect(await attest(service, "late")).toBe(201);
  service.child.kill("SIGINT");
  expect(await exited).toEqual([null, "SIGINT"]);
});
