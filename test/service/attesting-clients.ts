import { setTimeout as delay } from "node:timers/promises";

const CLIENTS = 4;
/** About the time of a request. Without it, slow programs would be tested with many more records. */
const PAUSE_MS = 10;

/** Clients that attest concurrently, each to one trail after the other, until they are stopped. */
export function attestingClients(attest: (trail: string) => Promise<number>) {
  /** Trails whose attestations were answered as recorded. */
  const answered: string[] = [];
  let over = false;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let i = 0; !over; i++, await delay(PAUSE_MS)) {
      const trail = `t-${client}-${i}`;
      if ((await attest(trail)) === 201) answered.push(trail);
    }
  });
  return {
    answered,
    async stop() {
      over = true;
      await Promise.all(clients);
    },
  };
}
