import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";

export type ReporterMetrics = ReturnType<typeof makeReporterMetrics>;

export function makeReporterMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    reports: new Counter({
      name: "evidence_reporter_reports_total",
      help: "Reports by environment and outcome: recorded, unchanged or failed.",
      labelNames: ["environment", "outcome"],
      registers,
    }),
    lastSuccess: new Gauge({
      name: "evidence_reporter_last_success_timestamp_seconds",
      help: "Time of the last successful report, by environment.",
      labelNames: ["environment"],
      registers,
    }),
    pods: new Gauge({
      name: "evidence_reporter_pods",
      help: "Pods in the last report, by environment.",
      labelNames: ["environment"],
      registers,
    }),
    watching: new Gauge({
      name: "evidence_reporter_watch_connected",
      help: "1 while changes of pods arrive, by namespace; empty for the whole cluster.",
      labelNames: ["namespace"],
      registers,
    }),
  };
}
