import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { medians, peakMemory, timed } from "./measure.ts";
import type { Measured, Measurements } from "./rows.ts";

const CLUSTER = fileURLToPath(new URL("large-cluster.ts", import.meta.url));
const ROUNDS = 5;
/** Baseline: reads the same pages and only parses them. */
const BASELINE = `
import { rmSync } from "node:fs";
import { request } from "node:http";
import { spawn } from "node:child_process";
const socketPath = process.env.SOCKET;
const proxy = spawn("kubectl", ["proxy", "--unix-socket=" + socketPath], { stdio: ["ignore", "pipe", "inherit"] });
await new Promise((resolve) => proxy.stdout.once("data", resolve));
const get = (path) => new Promise((resolve) => request({ socketPath, path }, async (answer) => {
  const chunks = [];
  for await (const chunk of answer) chunks.push(chunk);
  resolve(JSON.parse(Buffer.concat(chunks).toString()));
}).end());
for (let token = "0"; token !== undefined; ) token = (await get("/api/v1/pods?limit=500&continue=" + token)).metadata.continue;
proxy.kill();
// The next server uses the same path.
rmSync(socketPath);
`;

/**
 * Time of a report of a large cluster, as a multiple of only reading its pages, and its peak
 * memory. The service's work on the report is not included.
 */
export async function cluster(root: string): Promise<Measurements<"cluster">> {
  const folder = await mkdtemp(join(tmpdir(), "bench-cluster-"));
  const kubectl = join(folder, "kubectl");
  await writeFile(kubectl, `#!/bin/sh\nexec '${process.execPath}' '${CLUSTER}' "$@"\n`);
  await chmod(kubectl, 0o755);
  const service = createServer((request, response) => {
    request.resume().on("end", () => response.writeHead(201).end('"OK"'));
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const { port } = service.address() as AddressInfo;
  const program = join(root, "dist", "report-env", "index.js");
  const inputs = {
    "api-key": "de_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
    org: "bench",
    "base-url": `http://127.0.0.1:${port}`,
    environment: "prod",
  };
  const report = async (pods: number, rounds: number): Promise<{ time: Measured; peak: Measured }> => {
    const env = {
      PATH: `${folder}:${process.env["PATH"]}`,
      RUNNER_TEMP: folder,
      SOCKET: join(folder, `${pods}.sock`),
      BENCH_PODS: String(pods),
      INPUTS: JSON.stringify(inputs),
    };
    const node = process.execPath;
    const { ours, pages } = await medians(
      {
        pages: () => timed([node, "--input-type=module", "-e", BASELINE], env),
        ours: () => timed([node, program], env),
      },
      rounds,
    );
    const note = `${(ours / 1000).toFixed(2)} s against ${(pages / 1000).toFixed(2)} s`;
    return { time: { value: ours / pages, note }, peak: { value: await peakMemory([program], env) } };
  };
  try {
    const usual = await report(10_000, ROUNDS);
    const large = await report(150_000, 1);
    return {
      cluster: usual.time,
      clusterPeak: usual.peak,
      largeCluster: large.time,
      largeClusterPeak: large.peak,
    };
  } finally {
    service.close();
    await rm(folder, { recursive: true, force: true });
  }
}
