import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bundleSizes } from "../../scripts/bench/bundle-sizes.ts";
import { BUNDLES } from "../../scripts/bundle.ts";
import { kubectlOf } from "./clusters.ts";
import { contentService, expectSuccess, runSample, sampleOf } from "./samples.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("no bundle is larger than its bound, at its start or as a whole", () => {
  const findings = bundleSizes(root);
  expect(findings).toHaveLength(2 * BUNDLES.length);
  for (const { what, value, bound } of findings) {
    expect(value, what).toBeGreaterThan(0.1);
    expect(value, what).toBeLessThanOrEqual(bound?.most ?? 0);
  }
});

test("a cluster of 10,000 pods is reported within 260 MiB", { timeout: 120_000 }, async () => {
  const program = fileURLToPath(new URL("../../scripts/bench/large-cluster.ts", import.meta.url));
  const { env } = kubectlOf(`unset NODE_OPTIONS; exec '${process.execPath}' '${program}' "$@"`);
  const sample = sampleOf("report-env");
  const server = await contentService(sample);
  const peak = 'process.on("exit",()=>console.log(`::notice::${process.resourceUsage().maxRSS/1024}`))';
  const step = await runSample(sample, {
    baseUrl: server.url,
    inputs: { "pods-file": "" },
    env: {
      ...env,
      BENCH_PODS: "10000",
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(peak)}`,
    },
  });
  expectSuccess(sample, step);
  expect(JSON.parse(String(server.received[0]?.body)).artifacts).toHaveLength(10_000);
  // With every page held it is 295.
  expect(Number(/^::notice::([\d.]+)$/m.exec(step.stdout)?.[1])).toBeLessThan(260);
});
