import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { startApiServer } from "../../test/kubernetes/fake-api-server.ts";
import { samplePod } from "../../test/kubernetes/sample-pods.ts";
import { bundleReporter } from "../bundle.ts";
import { freshNode } from "./peak-memory.ts";
import type { Measurements } from "./rows.ts";

const PODS = 10_000;
const ROUNDS = ["1", "2"];
/** Flags of the reporter's image, whose heap may have half of the 256 MiB that its chart allows. */
const IMAGE_FLAGS = ["--max-semi-space-size=8", "--max-old-space-size=128"];

/** Peak memory of the reporter in a cluster whose pods all change twice. */
export async function reporter(root: string): Promise<Measurements<"reporter">> {
  const folder = mkdtempSync(join(tmpdir(), "bench-reporter-"));
  await bundleReporter(root, folder);
  const config = join(folder, "environments.yml");
  writeFileSync(config, "- environment: production\n");
  const { fake, close } = await startApiServer();
  const pods = Array.from({ length: PODS }, (_, number) => samplePod(number));
  for (const pod of pods) fake.put(pod as never);
  let report = "";
  const service = createServer(async (request, response) => {
    report = await text(request);
    response.writeHead(201).end('"OK"');
  });
  await once(service.listen(0, "127.0.0.1"), "listening");
  const { port } = service.address() as AddressInfo;
  const args = ["--config", config, "--port", "0", "--interval", "5", "--debounce", "0.1", "--allow-http"];
  const child = spawn(freshNode(), [...IMAGE_FLAGS, join(folder, "index.js"), ...args], {
    env: {
      ...fake.env,
      ...{ EVIDENCE_BASE_URL: `http://127.0.0.1:${port}`, EVIDENCE_ORG: "bench" },
      EVIDENCE_API_KEY: "de_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG",
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const reported = async (found: string) => {
    while (report.split(found).length <= PODS && child.exitCode === null) await setTimeout(100);
  };
  try {
    await reported('"podName"');
    for (const round of ROUNDS) {
      const digest = round.repeat(64);
      for (const pod of pods) {
        for (const state of pod.status.containerStatuses) state.imageID = `r/i@sha256:${digest}`;
        fake.put(pod as never);
        if (Number(pod.metadata.uid.slice(-3)) % 200 === 0) await setTimeout(1);
      }
      await reported(digest);
    }
    return { reporterPeak: { value: residentMiB(child) } };
  } finally {
    child.kill();
    await once(child, "exit");
    service.close();
    await close();
    rmSync(folder, { recursive: true });
  }
}

/** Peak of the memory, in MiB. */
function residentMiB({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
}
