/* Measures what users wait for, as ratios within one run where that can be: a table, then the same as JSON. */
import { fileURLToPath } from "node:url";
import { bundleSizes } from "./bench/bundle-sizes.ts";
import { cluster } from "./bench/cluster.ts";
import { fingerprintSpeed } from "./bench/fingerprint.ts";
import { startLocalService } from "./bench/local-service.ts";
import type { Finding } from "./bench/measure.ts";
import { memory } from "./bench/memory.ts";
import { reads } from "./bench/reads.ts";
import { stalls } from "./bench/stalls.ts";
import { startUp } from "./bench/start-up.ts";
import { throughput } from "./bench/throughput.ts";
import { compileSources } from "./compile.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
compileSources(root);

const findings: Finding[] = [];
await using service = await startLocalService();
findings.push(...(await startUp(root, service)));
findings.push(...(await fingerprintSpeed(root)));
findings.push(...(await memory(root, service)));
findings.push(...(await cluster(root)));
findings.push(...(await throughput(service)));
findings.push(...(await reads()));
findings.push(...(await stalls(root, service)));
findings.push(...bundleSizes(root));

const rows = findings.map((finding) => [
  finding.what,
  `${round(finding.value)} ${finding.unit}`,
  verdict(finding),
  finding.note ?? "",
]);
const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
for (const row of rows) {
  process.stdout.write(
    `${row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()}\n`,
  );
}
process.stdout.write(`\n${JSON.stringify({ node: process.version, findings }, null, 2)}\n`);
if (findings.some((finding) => verdict(finding).startsWith("MISSED"))) process.exitCode = 1;

function verdict({ value, bound }: Finding): string {
  if (!bound) return "";
  const held =
    value <= (bound.most ?? Number.POSITIVE_INFINITY) && value >= (bound.least ?? Number.NEGATIVE_INFINITY);
  const goal = bound.most === undefined ? `at least ${bound.least}` : `at most ${bound.most}`;
  return `${held ? "ok" : "MISSED"}, ${goal}`;
}

function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}
