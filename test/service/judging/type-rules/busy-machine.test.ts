import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "undici";
import { expect, it } from "vitest";
import { CLI } from "../../../cli/command.ts";
import { COMPILE_CACHE } from "../../../program-variables.ts";
import { attestations } from "../../attestation-requests.ts";
import { ORG } from "../../running-service.ts";

const KEY = `de_${"k".repeat(43)}`;
/** A process that is stopped most of the time behaves like one on a busy machine. */
const RUNS_MS = 20;
const STOPS_MS = 200;

it("rules are limited by the processor time they use, not by how long a busy machine delays them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "evidence-busy-"));
  const child = spawn(process.execPath, [CLI, "serve", "--port", "0", "--data", folder, "--org", ORG], {
    env: { ...process.env, ...COMPILE_CACHE, EVIDENCE_ADMIN_KEY: KEY },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const closed = once(child, "close");
  const dispatcher = new Agent();
  try {
    const [line] = await once(createInterface(child.stdout), "line");
    const address = /http:\/\/[\d.:]+/.exec(String(line))?.[0] ?? "";
    const { customType, attest, ofTrail } = attestations({ address, dispatcher, keys: { member: KEY } });
    await customType({
      name: "summed",
      evaluator: { content_type: "jq", rules: ["([range(.to)] | add) > 0"] },
    });
    const evaluated = (trail: string, to: number) =>
      attest("custom", "web", { type_name: "summed", attestation_data: { to } }, { trail });
    // The first evaluation starts the threads.
    expect((await evaluated("first", 2)).status).toBe(201);

    let isAnswered = false;
    const answer = evaluated("slowed", 500_000).finally(() => {
      isAnswered = true;
    });
    while (!isAnswered) {
      await delay(RUNS_MS);
      child.kill("SIGSTOP");
      await delay(STOPS_MS);
      child.kill("SIGCONT");
    }
    expect((await answer).status).toBe(201);
    const [record] = (await ofTrail("web", "unit", "slowed")).body;
    expect(record.evaluation_error).toBeUndefined();
    expect(record.is_compliant).toBe(true);
  } finally {
    child.kill("SIGTERM");
    await closed;
    await dispatcher.close();
    await rm(folder, { recursive: true });
  }
});
