import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "undici";
import { beforeEach, expect, test } from "vitest";
import { verifyWebhook } from "../../../../src/api/resources/verify-webhook.ts";
import { type ServedProgram, serveProgram } from "../../../cli/program.ts";
import { pipeline, send } from "../../requests.ts";
import { type Receiver, startReceiver } from "./receiver.ts";

const KILLS = Number(process.env["TEST_DELIVERY_KILLS"] ?? 3);
const EVENTS = 20 * KILLS;
const KEY = `de_${"k".repeat(43)}`;
const ACTION = "/actions/acme/1";

let dataFolder: string;
let dispatcher: Agent;
let receiver: Receiver;
let program: ServedProgram;
beforeEach(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), "evidence-deliveries-"));
  dispatcher = new Agent();
  receiver = await startReceiver();
  program = await serve();
  return async () => {
    await program.stop("SIGKILL");
    await receiver[Symbol.asyncDispose]();
    await dispatcher.destroy();
    await rm(dataFolder, { recursive: true });
  };
});

/** The service as users start it, allowed to notify receivers on this machine. */
function serve(): Promise<ServedProgram> {
  const options = ["--data", dataFolder, "--org", "acme", "--workers", "1", "--log", "json"];
  const env = { EVIDENCE_ADMIN_KEY: KEY };
  return serveProgram([...options, "--allow-targets", "127.0.0.1", "--allow-http-targets"], { env });
}

const service = () => ({ address: program.address, dispatcher, keys: { member: KEY, admin: KEY } });
const ids = () => new Set(receiver.received.map(({ id }) => id));

/** Sends each attestation to the receiver, and returns the signing secret. */
async function notifyReceiver(): Promise<string> {
  const targets = [{ type: "WEBHOOK", webhook: `${receiver.address}/hook` }];
  await pipeline(service()).action({ name: "tell", targets, triggers: ["ON_ATTESTATION"] });
  const { body } = await send(service(), { method: "POST", path: `${ACTION}/secret` });
  return body.secrets[0].secret;
}

test(`${KILLS} kills of a service during ${EVENTS} events: each event arrives, always unchanged`, {
  timeout: 60_000 + KILLS * 6_000,
}, async () => {
  const secret = await notifyReceiver();
  let kills = 0;
  let restarted: Promise<void> | undefined;
  const proven = new Map<string, Record<string, Record<string, unknown>>>();
  receiver.answer = (_, answer) => {
    answer.end();
    for (const { id, headers, body } of receiver.received.slice(-1)) {
      proven.set(id, Object(verifyWebhook(headers, body, secret)));
    }
    if (restarted !== undefined || ids().size <= ((kills + 1) * EVENTS) / (KILLS + 1)) return;
    kills++;
    // Its response is on the way and not recorded anywhere.
    program.child.kill("SIGKILL");
    restarted = serve().then((next) => {
      program = next;
      restarted = undefined;
    });
  };
  const attest = async (name: string) => {
    const form = { attestation_name: name, is_compliant: true };
    const headers = { "idempotency-key": name };
    const path = "/attestations/acme/web/trail/t1/generic";
    const { status } = await send(service(), { method: "POST", path, form, headers });
    if (status !== 201) throw new Error(`An attestation was answered with ${status}`);
  };
  // One after the other, so that their recorded order is known.
  for (let event = 1; event <= EVENTS; event++) {
    for (let recorded = false; !recorded; await restarted) {
      recorded = await attest(`a${event}`).then(
        () => true,
        () => false,
      );
    }
  }
  await expect.poll(() => ids().size).toBe(EVENTS);
  await restarted;
  expect(kills).toBe(KILLS);

  const different = new Set(receiver.received.map(({ id, body }) => `${id} ${body}`));
  expect(different.size, "a repeated delivery equals the earlier one").toBe(EVENTS);
  const delivered = [...proven.values()].map(({ sequence, attestation }) => [
    Number(sequence),
    attestation?.["name"],
  ]);
  expect(delivered.sort(([a], [b]) => Number(a) - Number(b))).toEqual(
    Array.from({ length: EVENTS }, (_, index) => [index + 1, `a${index + 1}`]),
  );
  const duplicates = receiver.received.length - EVENTS;
  process.stderr.write(`${KILLS} kills during ${EVENTS} events: ${duplicates} duplicates\n`);
});

test("a stopped service ends beside a hanging receiver, and the next one sends what was unanswered", async () => {
  await notifyReceiver();
  receiver.answer = () => {};
  await pipeline(service()).attest("web", "t1");
  await expect.poll(() => receiver.received).toHaveLength(1);
  expect(await program.stop()).toBe(0);
  expect(program.errors()).not.toContain('"level":"error"');
  receiver.answer = (_, answer) => answer.end();
  program = await serve();
  await expect.poll(() => receiver.received).toHaveLength(2);
  const [first, second] = receiver.received;
  expect([second?.id, second?.body]).toEqual([first?.id, first?.body]);
  const list = async () => (await send(service(), { path: `${ACTION}/deliveries` })).body.data;
  await expect.poll(list).toMatchObject([{ state: "delivered", attempts: 1 }]);
});
