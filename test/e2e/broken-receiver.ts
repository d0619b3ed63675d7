/*
 * Imported by Node before the demo's receiver to replace it with one that gets each event changed in transit.
 */
import { registerHooks } from "node:module";
import { type Receiver, startReceiver as startReal } from "../../scripts/demo/receiver.ts";

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === "./demo/receiver.ts" ? import.meta.url : specifier, context),
});

export async function startReceiver(): Promise<Receiver> {
  const real = await startReal();
  return {
    ...real,
    async next() {
      const { headers, body } = await real.next();
      return { headers, body: body.replace("COMPLIANT", "NON-COMPLIANT") };
    },
  };
}
