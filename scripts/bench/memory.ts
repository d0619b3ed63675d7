import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { finished } from "node:stream/promises";
import { startLocalService, stepVariables } from "./local-service.ts";
import { peakMemory } from "./measure.ts";
import type { Measurements } from "./rows.ts";

const PODS = 10_000;
const RUNS = 3;

/** Peak memory of steps with large inputs. */
export async function memory(root: string): Promise<Measurements<"memory">> {
  await using service = await startLocalService();
  const folder = await mkdtemp(join(tmpdir(), "bench-memory-"));
  const program = (name: string) => join(root, "dist", name, "index.js");
  try {
    const pods = join(folder, "pods.json");
    await writePods(pods);
    const report = await peakMemory(
      [program("report-env")],
      stepVariables(service, { environment: "prod", "pods-file": pods, "create-environment": "true" }),
    );
    const attachment = join(folder, "report.bin");
    await writeFile(attachment, Buffer.alloc(10 * 1024 * 1024, 7));
    const inputs = { flow: "web", name: "lint", compliant: "true", "allow-outside-workspace": "true" };
    // The minimum of several runs, because the time of garbage collection is random.
    const attest = async (more: Readonly<Record<string, string>>) => {
      const peaks: number[] = [];
      for (let run = 0; run < RUNS; run++) {
        peaks.push(await peakMemory([program("attest")], stepVariables(service, { ...inputs, ...more })));
      }
      return Math.min(...peaks);
    };
    const without = await attest({});
    const with10 = await attest({ attachments: attachment });
    return {
      attachment: { value: with10 - without, note: `${without.toFixed(1)} MiB without` },
      podsFile: { value: report },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The output of kubectl for a large cluster: pods of about 9.7 kB, mostly unused by reports. */
async function writePods(path: string): Promise<void> {
  const out = createWriteStream(path);
  out.write('{"kind":"PodList","apiVersion":"v1","items":[');
  for (let index = 0; index < PODS; index++) {
    const digest = index.toString(16).padStart(64, "0");
    const pod = {
      metadata: {
        name: `web-${index}`,
        namespace: `team-${index % 50}`,
        uid: `uid-${index}`,
        creationTimestamp: "2026-11-20T09:30:00Z",
        managedFields: [{ manager: "kubelet", fieldsV1: { text: "f:status ".repeat(980) } }],
      },
      spec: { containers: [{ name: "app", image: `reg.example/web:${index}` }] },
      status: {
        phase: "Running",
        containerStatuses: [
          { name: "app", image: `reg.example/web:${index}`, imageID: `reg.example/web@sha256:${digest}` },
        ],
      },
    };
    if (!out.write(`${index === 0 ? "" : ","}\n${JSON.stringify(pod)}`)) {
      await once(out, "drain");
    }
  }
  out.end("\n]}\n");
  await finished(out);
}
