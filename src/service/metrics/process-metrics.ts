import { collectDefaultMetrics, Registry } from "prom-client";

let registry: Registry | undefined;

/**
 * What the process uses: processor time, memory, files, collections of garbage, and how long its event loop is held
 * up. They belong to the process, so that all services in it have the same, and are watched once.
 */
export function processMetrics(): Registry {
  if (registry === undefined) {
    registry = new Registry();
    collectDefaultMetrics({ register: registry });
  }
  return registry;
}
