import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { atTheEnd } from "../../scripts/bench/peak-memory.ts";
import { startSizes } from "../../scripts/bench/sizes.ts";
import { BUNDLES } from "../../scripts/bundle.ts";
import { kubectlOf } from "./clusters.ts";
import { contentService, expectSuccess, runSample, sampleOf } from "./samples.ts";

const RUNS = 3;
const root = fileURLToPath(new URL("../..", import.meta.url));

test("no bundle is larger than its bound, at its start or as a whole", () => {
  const sizes = startSizes(root);
  expect(sizes).toHaveLength(BUNDLES.length);
  for (const { name, start, whole } of sizes) {
    expect(start, name).toBeGreaterThan(0.1);
    expect(start, name).toBeLessThanOrEqual(0.5);
    expect(whole, name).toBeLessThanOrEqual(3);
  }
});

test("a cluster of 10,000 pods is reported within 260 MiB", { timeout: 120_000 }, async () => {
  const program = fileURLToPath(new URL("../../scripts/bench/large-cluster.ts", import.meta.url));
  const { env } = kubectlOf(`unset NODE_OPTIONS; exec '${process.execPath}' '${program}' "$@"`);
  const sample = sampleOf("report-env");
  const server = await contentService(sample);
  const peaks: number[] = [];
  // The least of some runs, since what is collected when is up to chance.
  for (let run = 0; run < RUNS; run++) {
    const step = await runSample(sample, {
      baseUrl: server.url,
      inputs: { "pods-file": "" },
      env: {
        ...env,
        BENCH_PODS: "10000",
        NODE_OPTIONS: `--import=${atTheEnd("console.log(`::notice::${peak / 1024}`);")}`,
      },
    });
    expectSuccess(sample, step);
    expect(JSON.parse(String(server.received.at(-1)?.body)).artifacts).toHaveLength(10_000);
    peaks.push(Number(/^::notice::([\d.]+)$/m.exec(step.stdout)?.[1]));
  }
  // With every page held it is 285 or more.
  expect(Math.min(...peaks)).toBeLessThan(260);
});
