const CLIENTS = 4;

/** Clients that attest concurrently, each to one trail after the other, until they are stopped. */
export function attestingClients(attest: (trail: string) => Promise<number>) {
  /** Trails whose attestations were answered as recorded. */
  const answered: string[] = [];
  let over = false;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let i = 0; !over; i++) {
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
