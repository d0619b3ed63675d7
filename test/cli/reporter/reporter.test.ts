import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Environment } from "../../../src/cli/reporter/environments.ts";
import { makeReporterMetrics } from "../../../src/cli/reporter/metrics.ts";
import { Reporter } from "../../../src/cli/reporter/reporter.ts";
import { selectNamespaces } from "../../../src/kubernetes/select.ts";

const selection = selectNamespaces({
  ...{ namespaces: [], namespacesRegex: [], excludeNamespaces: [], excludeNamespacesRegex: [] },
});
const PRODUCTION: Environment = { name: "production", selection, allowEmpty: true, create: false };

/** A reporter of an empty cluster that runs until the test ends, and the times of its reports. */
function running(timing: { intervalMs: number; debounceMs: number }) {
  const reports: number[] = [];
  const stopping = new AbortController();
  const reporter = new Reporter({
    ...{ environments: [PRODUCTION], sources: [{ pods: [] }], metrics: makeReporterMetrics(), ...timing },
    send: async () => `${reports.push(performance.now())}`,
    log: () => {},
    signal: stopping.signal,
  });
  const ended = reporter.run();
  onTestFinished(async () => {
    stopping.abort();
    await ended;
  });
  return { reporter, reports };
}

test("many changes within the debounce time are one report", async () => {
  const { reporter, reports } = running({ intervalMs: 60_000, debounceMs: 500 });
  await vi.waitUntil(() => reports.length === 1);
  const changedAt = performance.now();
  for (let change = 0; change < 10; change++) {
    reporter.changed(new Set(["shop"]));
    await sleep(5);
  }
  await vi.waitUntil(() => reports.length > 1, { timeout: 10_000 });
  expect((reports[1] ?? 0) - changedAt).toBeGreaterThanOrEqual(495);
  await sleep(50);
  expect(reports).toHaveLength(2);
});

test("reports are repeated at the interval, although nothing changes", async () => {
  const { reports } = running({ intervalMs: 100, debounceMs: 500 });
  await vi.waitUntil(() => reports.length === 3, { timeout: 10_000 });
  const [first = 0, , third = 0] = reports;
  expect(third - first).toBeGreaterThanOrEqual(195);
});
