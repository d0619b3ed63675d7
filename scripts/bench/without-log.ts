/* Preloaded into a service, leaves out the job that adds events to the logs. */
import { registerHooks } from "node:module";

registerHooks({
  load(url, context, next) {
    if (!url.endsWith("/ops/keep-logs.ts")) return next(url, context);
    const source =
      'export const keepLogs = () => ({ name: "log", failure: "", everyMs: 60_000, run: async () => {} });';
    return { format: "module", source, shortCircuit: true };
  },
});
