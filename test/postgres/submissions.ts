import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { pages } from "../../src/api/client/all-pages.ts";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { unique } from "../conformance/unique.ts";
import { type Reachable, send } from "../service/requests.ts";
import { ORG } from "../service/running-service.ts";

/** Clients that submit one attestation after the other, and try each again until it is answered with success. */
export interface Submitters {
  /** What was answered with success. */
  readonly confirmed: readonly string[];
  /** Answers that no client should ever see. */
  readonly wrong: readonly string[];
  /** Answers, and connections without one, after which it had to be tried again. */
  readonly refused: readonly string[];
  /** Resolves when so many more were confirmed. */
  progress(count: number): Promise<void>;
  /** Lets each finish what it is at. */
  finish(): Promise<void>;
}

/** @param instances where they may go; one that fails them is left for the next one */
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
    while (!isOver) await submit(index);
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

/** Reads every submission back, and expects each that was confirmed once, and nothing else. */
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
  const kept: string[] = [];
  for await (const { body } of pages(client, "listAttestations", { flow: [flow], perPage: 100 })) {
    kept.push(...body.data.map(({ attestationName }) => attestationName));
  }
  await client.close();
  expect(wrong).toEqual([]);
  expect(kept.sort()).toEqual([...confirmed].sort());
}
