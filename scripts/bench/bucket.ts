import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { medians, peakMemory, timed } from "./measure.ts";
import type { Measurements } from "./rows.ts";

const BUCKET = fileURLToPath(new URL("large-bucket.ts", import.meta.url));
const OBJECTS = 10_000;
/** The wait of a request in the region of the bucket. */
const LATENCY_MS = 10;
const ROUNDS = 3;
/** Baseline: reads a part of the objects, one after another, and writes them to a disk, as other clients do. */
const PART = 0.1;
const BASELINE = `
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
const agent = new Agent({ keepAlive: true });
for (let index = 0; index < ${OBJECTS * PART}; index++) {
  const chunks = await new Promise((resolve) => request(process.env.AWS_ENDPOINT_URL + "/site/o" + index, { agent }, async (answer) => {
    resolve(await Array.fromAsync(answer));
  }).end());
  const content = Buffer.concat(chunks);
  writeFileSync(process.env.RUNNER_TEMP + "/o" + index, content);
  createHash("sha256").update(content).digest("hex");
}
agent.destroy();
`;

/** Time of a report of a bucket, as a multiple of reading its objects one after another, and its peak memory. */
export async function bucket(root: string): Promise<Measurements<"bucket">> {
  const folder = await mkdtemp(join(tmpdir(), "bench-bucket-"));
  const store = spawn(process.execPath, [BUCKET], {
    env: { OBJECTS: String(OBJECTS), LATENCY_MS: String(LATENCY_MS) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const lines = createInterface({ input: store.stdout })[Symbol.asyncIterator]();
    const { value: port } = await lines.next();
    const inputs = {
      ...{ "api-key": "de_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG", org: "bench" },
      ...{ "base-url": "http://127.0.0.1:1", "dry-run": "true" },
      ...{ environment: "prod", type: "S3", bucket: "site" },
    };
    const env = {
      ...{ RUNNER_TEMP: folder, INPUTS: JSON.stringify(inputs) },
      ...{ AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`, AWS_REGION: "eu-central-1" },
      ...{ AWS_ACCESS_KEY_ID: "AKID", AWS_SECRET_ACCESS_KEY: "secret" },
    };
    const program = join(root, "dist", "report-env", "index.js");
    const node = process.execPath;
    const { ours, part } = await medians(
      {
        part: () => timed([node, "--input-type=module", "-e", BASELINE], env),
        ours: () => timed([node, program], env),
      },
      ROUNDS,
    );
    const others = part / PART;
    const peak = await peakMemory([program], env);
    await ended(store);
    const { value: most } = await lines.next();
    return {
      bucket: {
        value: ours / others,
        note: `${(ours / 1000).toFixed(1)} s against ${(others / 1000).toFixed(0)} s, each request after ${LATENCY_MS} ms`,
      },
      bucketPeak: { value: peak },
      bucketInFlight: { value: Number(most) },
    };
  } finally {
    store.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function ended(store: ChildProcess): Promise<void> {
  store.kill();
  await once(store, "exit");
}
