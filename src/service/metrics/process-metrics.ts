import { collectDefaultMetrics, Registry } from "prom-client";

/** Each look at the event loop wakes the process: at 10 ms, the default, that is half a percent of a core. */
const EVENT_LOOP_LOOKS_MS = 50;

let registry: Registry | undefined;

/**
 * What the process uses: processor time, memory, files, collections of garbage, and how long its event loop is held
 * up. They belong to the process, so that all services in it have the same, and are watched once.
 */
export function processMetrics(): Registry {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_LOOKS_MS });
  }
  return registry;
}
