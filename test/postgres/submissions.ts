import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { pages } from "../../src/api/client/all-pages.ts";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { unique } from "../conformance/unique.ts";
import { type Reachable, send } from "../service/requests.ts";
import { ORG } from "../service/running-service.ts";

/** Clients that submit one attestation after the other, and retry each until it succeeds. */
export interface Submitters {
  /** Submissions that were answered with success. */
  readonly confirmed: readonly string[];
  /** Responses that no client should ever get. */
  readonly wrong: readonly string[];
  /** Responses, and connections without one, that were retried. */
  readonly refused: readonly string[];
  /** Resolves when this many more were confirmed. */
  progress(count: number): Promise<void>;
  /** Lets each client finish its current submission. */
  finish(): Promise<void>;
}

/** About the time of a submission, so that half of the clients wait for a response at any moment. */
const PAUSE_MS = 10;

/** @param instances possible receivers; a client leaves a failing one for the next */
export function startSubmitters(
  instances: () => readonly Reachable[],
  count: number,
  flow = "web",
): Submitters {
  const confirmed: string[] = [];
  const wrong: string[] = [];
  const refused: string[] = [];
  let isOver = false;

  async function submit(attempt: number): Promise<void> {
    const name = unique("s");
    for (let at = attempt; ; at++) {
      const open = instances();
      const service = open[at % open.length];
      const answer = await (service && send(service, submission(flow, name)).catch(String));
      if (typeof answer === "object" && answer.status === 201) return void confirmed.push(name);
      refused.push(typeof answer === "object" ? `${answer.status} ${answer.text}` : String(answer));
      if (typeof answer === "object" && answer.status !== 503) wrong.push(`${answer.status} ${answer.text}`);
      await delay(50);
    }
  }

  const submitters = Array.from({ length: count }, async (_, index) => {
    for (; !isOver; await delay(PAUSE_MS)) await submit(index);
  });
  return {
    confirmed,
    wrong,
    refused,
    async progress(more) {
      const before = confirmed.length;
      await expect.poll(() => confirmed.length, { interval: 20 }).toBeGreaterThanOrEqual(before + more);
    },
    async finish() {
      isOver = true;
      await Promise.all(submitters);
    },
  };
}

function submission(flow: string, name: string) {
  return {
    method: "POST",
    path: `/attestations/${ORG}/${flow}/trail/t1/generic`,
    form: { attestation_name: name, is_compliant: true },
    headers: { "idempotency-key": name },
  };
}

/** Reads every submission back, and expects each confirmed one once, and nothing else. */
export async function expectEachOnce(
  service: Reachable,
  { confirmed, wrong }: Submitters,
  flow = "web",
): Promise<void> {
  const client = new EvidenceClient({
    baseUrl: service.address,
    org: ORG,
    apiKey: service.keys.member,
    allowHttp: true,
  });
  const stored: string[] = [];
  for await (const { body } of pages(client, "listAttestations", { flow: [flow], perPage: 100 })) {
    stored.push(...body.data.map(({ attestationName }) => attestationName));
  }
  await client.close();
  expect(wrong).toEqual([]);
  expect(stored.sort()).toEqual([...confirmed].sort());
}
