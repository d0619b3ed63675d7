import { EvidenceClient } from "../../src/api/client.ts";
import type { LocalService } from "./local-service.ts";
import type { Finding } from "./measure.ts";

const CLIENTS = 32;
const SECONDS = 5;

/** How many attestations a second are durable in the service when many clients attest at once. */
export async function throughput(service: LocalService): Promise<Finding[]> {
  const client = new EvidenceClient({ apiKey: service.apiKey, org: service.org, baseUrl: service.address });
  const attest = (trail: string) =>
    client.attestGeneric({
      flowName: "load",
      trailName: trail,
      body: { attestationName: "lint", isCompliant: true },
    });
  await attest("first");
  let recorded = 0;
  const end = performance.now() + SECONDS * 1000;
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, number) => {
      while (performance.now() < end) {
        // A new trail now and then, since evaluating one that holds everything is not what a day looks like.
        await attest(`trail-${number}-${Math.floor(recorded / 500)}`);
        recorded += 1;
      }
    }),
  );
  await client.close();
  return [
    {
      what: `durable attestations with ${CLIENTS} concurrent clients`,
      value: recorded / SECONDS,
      unit: "/s",
      note: "client and service share the machine",
    },
  ];
}
