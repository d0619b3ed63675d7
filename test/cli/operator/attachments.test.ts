import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { Agent, FormData, request } from "undici";
import { afterEach, beforeEach, expect, it } from "vitest";
import { attachmentsFrom } from "../../../src/cli/operator/record-location.ts";
import type { Log } from "../../../src/service/kernel/log.ts";
import type { RunningService } from "../../../src/service/service.ts";
import { BUCKET, type S3Server, s3Server } from "../../service/store/blobs/bucket/s3-server.ts";
import { environmentOf } from "../../service/store/blobs/bucket/stores.ts";
import { runProgram, type ServedProgram, serveProgram } from "../program.ts";
import { serveHere } from "../served-here.ts";
import { runHere } from "../terminal.ts";

const KEY = `de_${"k".repeat(43)}`;
const PATH = "/api/v2/attestations/default/web/trail/t1";

let data = "";
let store: S3Server;
let killed: ServedProgram | undefined;
let service: RunningService | undefined;
let logged = "";
let dispatcher: Agent;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "evidence-attachments-"));
  store = await s3Server();
  dispatcher = new Agent();
});
afterEach(async () => {
  await dispatcher.destroy();
  await killed?.stop("SIGKILL");
  await stop();
  await store.close();
  await rm(data, { recursive: true });
});

const PLACE = `s3://${BUCKET}/team`;
const start = () =>
  serveProgram(["--data", data, "--attachments", PLACE], {
    env: { ...environmentOf(store.url), EVIDENCE_ADMIN_KEY: KEY },
  });

/** Serves from this process. */
async function serve(): Promise<RunningService> {
  const attachmentsAt = await attachmentsFrom(PLACE, environmentOf(store.url), false);
  logged = "";
  const log: Log = (line) => {
    logged += inspect(line);
  };
  service = await serveHere(data, { org: "default", adminKey: KEY, attachmentsAt, log });
  return service;
}
async function stop(): Promise<void> {
  await service?.close();
  service = undefined;
}

const objectOf = (content: string) => {
  const sha256 = createHash("sha256").update(content).digest("hex");
  return `team/sha256/${sha256.slice(0, 2)}/${sha256.slice(2)}`;
};

function attest(address: string, content: string) {
  const form = new FormData();
  form.append("data_json", JSON.stringify({ attestation_name: "unit", is_compliant: true }));
  form.append("attachment_file", new Blob([content]), "report.txt");
  return request(`${address}${PATH}/generic`, {
    method: "POST",
    headers: { authorization: `Bearer ${KEY}` },
    body: form,
    dispatcher,
  });
}

it("a service killed between uploading a file and recording it leaves the file, and accepts a repeated upload", async () => {
  killed = await start();
  store.fail("PUT", { kind: "no answer" });
  const cutOff = attest(killed.address, "evidence").catch((error: Error) => error);
  await expect.poll(() => [...store.objects.keys()]).toContain(objectOf("evidence"));
  await killed.stop("SIGKILL");
  expect(await cutOff).toBeInstanceOf(Error);
  const { address } = await serve();
  const list = await request(`${address}${PATH}/unit`, {
    headers: { authorization: `Bearer ${KEY}` },
    dispatcher,
  });
  expect(list.statusCode).toBe(404);
  await list.body.dump();
  expect((await attest(address, "evidence")).statusCode).toBe(201);
  const stored = [...store.objects.keys()].filter((key) => !/sweep\.json|checkpoint-/.test(key));
  expect(stored.sort()).toEqual(["team/owner.json", objectOf("evidence")]);
});

it.each([
  ["gs://bucket", "--attachments must be a folder or s3://bucket/prefix, got 'gs://bucket'"],
  [`s3://${BUCKET}`, `Set AWS_REGION to the region of the bucket '${BUCKET}'`],
])("a place that cannot keep attachments, %s, is refused in one line", async (place, message) => {
  const { status, stderr } = await runHere(["serve", "--port", "0", "--data", data, "--attachments", place]);
  expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
});

it("an instance with other attachment storage than its peers does not start, and says why", async () => {
  await serve();
  await stop();
  const { status, stderr } = await runHere(["serve", "--port", "0", "--data", data]);
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^delivery-evidence: .*files is not the place for attachments of the database \S+: set --attachments .*\n$/,
  );
});

it.each([
  ["/proc/none", "delivery-evidence: The folder /proc/none cannot be created\n  because: Error: ENOENT"],
  ["/dev/null", "delivery-evidence: /dev/null is not a folder\n"],
  ["", "delivery-evidence: --attachments must not be empty\n"],
])("'%s' cannot keep attachments, and the service says so and ends", (place, complaint) => {
  const { status, stderr } = runProgram(["serve", "--port", "0", "--data", data, "--attachments", place]);
  expect([status, stderr]).toEqual([1, expect.stringContaining(complaint)]);
});

it("adopt allows the sweep of these records after a copy of them has used the same attachments", async () => {
  const mark = "team/sweep.json";
  const sweepFails = async () => {
    const { body } = await request(`${service?.address}/health`, { dispatcher });
    const { jobs } = (await body.json()) as { jobs: { sweep?: { failing: boolean } } };
    return jobs.sweep?.failing;
  };
  const adopt = () =>
    runHere(["adopt", "--data", data, "--attachments", PLACE], {
      env: environmentOf(store.url),
    });
  await serve();
  await expect.poll(sweepFails).toBe(false);
  await stop();
  store.objects.set(mark, Buffer.from('{"generation":"of the copy"}'));
  await serve();
  await expect.poll(sweepFails).toBe(true);
  expect(logged).toContain("According to sweep.json, this database and a copy of it both use");
  expect(String(store.objects.get(mark))).toBe('{"generation":"of the copy","contested":true}\n');
  expect(await adopt()).toMatchObject({
    status: 0,
    stdout: `Adopted s3://${BUCKET}/team: sweeps of these records remove unused files from it again\n`,
  });
  await stop();
  await serve();
  await expect.poll(sweepFails).toBe(false);

  store.objects.set("team/owner.json", Buffer.from('{"database":"another","place":"elsewhere"}'));
  expect((await adopt()).stderr).toContain("must contain the attachments of these records");
});
