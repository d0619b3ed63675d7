/*
 * Imported by Node before the demo's receiver to replace it. EVENTS selects what happens to events: `lost` or
 * `changed`.
 */
import { registerHooks } from "node:module";
import { type Receiver, startReceiver as startReal } from "../../scripts/demo/receiver.ts";
import { closedPort } from "../api/local-server.ts";

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === "./demo/receiver.ts" ? import.meta.url : specifier, context),
});

export async function startReceiver(): Promise<Receiver> {
  const real = await startReal();
  if (process.env["EVENTS"] === "lost") {
    return { ...real, address: `http://127.0.0.1:${await closedPort()}/events` };
  }
  return {
    ...real,
    async next() {
      const { headers, body } = await real.next();
      return { headers, body: body.replace("COMPLIANT", "NON-COMPLIANT") };
    },
  };
}
