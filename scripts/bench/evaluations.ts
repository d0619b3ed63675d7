import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EvidenceClient } from "../../src/api/client/client.ts";
import { evaluatePolicy } from "../../src/evidence/rego/evaluate.ts";
import { openOpa } from "../../src/evidence/rego/opa.ts";
import { OPA } from "../../test/go-programs.ts";
import { slowestDuring } from "./bystander.ts";
import { median } from "./measure.ts";
import type { Measurements } from "./rows.ts";
import { startServiceProcess } from "./service-process.ts";

const SLOTS = 50;
const TRAILS = 100;
const ROUNDS = 20;
const FEW_ROUNDS = 5;
const CLIENTS = 16;
const ORG = "bench";

const POLICY = {
  "policy.rego": `package policy
default allow := false
allow if count(violations) == 0
all_trails contains input.trail
all_trails contains trail if some trail in input.trails
violations contains sprintf("%s of %s", [name, trail.name]) if {
  some trail in all_trails
  some name, attestation in trail.compliance_status.attestations_statuses
  not attestation.is_compliant
}
`,
};

/** Times of evaluations by the service, and of a bystander beside hostile ones. Undefined without opa. */
export async function evaluations(): Promise<Measurements<"evaluations"> | undefined> {
  if (OPA === undefined) {
    process.stderr.write("evaluations: this machine has no opa\n");
    return undefined;
  }
  const own = await timesOf(ROUNDS, await bareOpa(OPA));
  const folder = await mkdtemp(join(tmpdir(), "bench-evaluations-"));
  try {
    await using service = await startServiceProcess(folder, [ORG], { opa: OPA });
    const apiKey = service.keys[ORG] ?? "";
    const client = new EvidenceClient({ baseUrl: service.address, apiKey, org: ORG, timeout: 60 });
    const trails = await fill(client);
    const one = await timesOf(ROUNDS, () => evaluate(client, trails.slice(0, 1)));
    const hundred = await timesOf(FEW_ROUNDS, () => evaluate(client, trails));
    await client.close();
    const { value, note = "" } = await slowestDuring("rego", { opa: OPA });
    return {
      trail: { value: median(one) - median(own), note: `opa alone ${median(own).toFixed(0)} ms` },
      hundredTrails: { value: median(hundred) / 1000 },
      hostile: { value, note },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Evaluates a policy with an empty input. */
async function bareOpa(path: string): Promise<() => Promise<unknown>> {
  const { signal } = new AbortController();
  const opa = await openOpa(path, signal);
  const call = { files: POLICY, params: {}, inputs: ["{}"], at: 0 };
  return () => evaluatePolicy(opa, call, { signal, limits: { seconds: 10, megabytes: 512 } });
}

async function timesOf(rounds: number, work: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return times;
}

type Trail = { readonly flow: string; readonly trail: string };

async function fill(client: EvidenceClient): Promise<Trail[]> {
  const trails = Array.from({ length: TRAILS }, (_, index) => ({ flow: "web", trail: `v${index}` }));
  const waiting = trails.flatMap((place) =>
    Array.from({ length: SLOTS }, (_, slot) => ({ ...place, name: `check-${slot}` })),
  );
  const attest = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { flow: flowName, trail: trailName, name: attestationName } = next;
      const body = { attestationName, isCompliant: true, userData: { tool: "bench" } };
      await client.attestGeneric({ flowName, trailName, body });
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, attest));
  return trails;
}

/** Evaluates the policy and polls for its end. */
async function evaluate(client: EvidenceClient, trails: Trail[]): Promise<void> {
  const body = { context: { trails }, policy: { files: POLICY } };
  let { body: answer } = await client.createEvaluation({ body });
  while (answer.status === "pending") ({ body: answer } = await client.getEvaluation({ id: answer.id }));
  if (answer.result?.allow !== true) throw new Error(`The evaluation returned ${JSON.stringify(answer)}`);
}
