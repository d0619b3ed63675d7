import { attestationRecord } from "../../api/resources/attestation-record.ts";
import { listAttestations } from "../../api/resources/attestations.ts";
import { trailRecord } from "../../api/resources/trail-record.ts";
import { listFlowTrails } from "../../api/resources/trails.ts";
import { asObject, asText, type Untyped } from "../../api/untyped.ts";
import { toWire } from "../../api/wire-names.ts";
import { evaluatePolicy } from "../../evidence/rego/evaluate.ts";
import { trailsInput } from "../../evidence/rego/inputs.ts";
import type { Opa } from "../../evidence/rego/opa.ts";
import { policyDigest } from "../../evidence/rego/policy-files.ts";
import { isOfEveryInput, PolicyFault, type Verdict } from "../../evidence/rego/verdict.ts";
import type { ActionContext, Outcome } from "../../github/step/action.ts";
import { fewAtATime } from "../../net/few-at-a-time.ts";
import { trailUrl } from "../links.ts";
import { adviseMissing } from "../missing-advice.ts";
import { writeResultFile } from "../result-file.ts";
import type { EvaluateOutput } from "./inputs.ts";
import type { UsedPolicy } from "./policy.ts";

export interface WhatIf {
  readonly flow: string;
  readonly days: number;
  /** The results are compared with the recorded decisions about it. */
  readonly control: string | undefined;
  readonly policy: UsedPolicy;
  readonly params: Readonly<Record<string, unknown>>;
  readonly opa: Opa;
}

/** Result of the policy for one trail. */
interface TrailResult extends Verdict {
  readonly trail: string;
  /** Recorded decision about the control; null if there is none. */
  readonly decided: boolean | null;
}

/** A trail for which the policy gives no result. */
interface TrailFault {
  readonly trail: string;
  readonly error: string;
}

const TRAILS_PER_PAGE = 200;
const ATTESTATIONS_PER_PAGE = 100;
/** Trails of one process of opa. */
const BATCH = 200;
/** For a whole batch. */
const LIMITS = { seconds: 60 };
/** Processes of opa for trails that are evaluated one by one. */
const AT_ONCE = 2;

/** Evaluates the policy for the newest trails of a flow, and counts what it would have decided. */
export async function whatIf(request: WhatIf, context: ActionContext): Promise<Outcome<EvaluateOutput>> {
  const { flow, control, policy, days } = request;
  const { results, faults } = await evaluateTrails(request, context);
  const counted = (test: (result: TrailResult) => boolean) => results.filter(test).length;
  const changed = results.filter(({ allow, decided }) => decided !== null && decided !== allow);
  const report = {
    flow,
    days,
    control: control ?? null,
    policy_digest: policyDigest(policy.files),
    trails: results.length + faults.length,
    allowed: counted(({ allow }) => allow),
    denied: counted(({ allow }) => !allow),
    skipped: counted(({ skipped }) => skipped !== null),
    no_result: faults.length,
    changed: changed.map(({ trail }) => trail),
    results,
    faults,
  };
  const shown = control === undefined ? results.filter(({ allow }) => !allow) : changed;
  return {
    outputs: {
      allow: "",
      violations: "[]",
      warned: "false",
      skipped: "false",
      "skip-reason": "",
      "policy-digest": report.policy_digest,
      "decision-id": "",
      "result-file": await writeResultFile("what-if", report, context),
    },
    summary: {
      heading: `Policy over ${counts(report.trails, "trail")} of ${flow} in ${days} days: ${countsText(report)}`,
      ...(shown.length + faults.length > 0 && {
        columns: ["Trail", "Policy", "Recorded decision", "Violations"],
      }),
      rows: [
        ...shown.map(({ trail, allow, decided, violations }) => [
          { text: trail, url: trailUrl(context.connection, flow, trail) },
          word(allow),
          decided === null ? "" : word(decided),
          violations.join("\n"),
        ]),
        ...faults.map(({ trail, error }) => [
          { text: trail, url: trailUrl(context.connection, flow, trail) },
          "no result",
          "",
          error,
        ]),
      ],
    },
  };
}

function word(allow: boolean): string {
  return allow ? "allow" : "deny";
}

/** Such as `5 allowed, 2 denied, 1 changed`. Unusual counts are left out if they are 0. */
function countsText({
  allowed,
  denied,
  skipped,
  no_result,
  control,
  changed,
}: {
  readonly allowed: number;
  readonly denied: number;
  readonly skipped: number;
  readonly no_result: number;
  readonly control: string | null;
  readonly changed: readonly string[];
}): string {
  return [
    `${allowed} allowed`,
    `${denied} denied`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    ...(no_result > 0 ? [`${no_result} without a result`] : []),
    ...(control === null ? [] : [`${changed.length} changed`]),
  ].join(", ");
}

function counts(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

interface Tried {
  readonly results: readonly TrailResult[];
  readonly faults: readonly TrailFault[];
}

/** @throws {PolicyFault} if the policy gives no result for any trail */
async function evaluateTrails(request: WhatIf, context: ActionContext): Promise<Tried> {
  const { flow, days, control, policy, params, opa } = request;
  const at = Date.now() / 1000;
  const trails = await readTrails(flow, at - days * 86_400, context);
  const attestations = await readAttestations(flow, trails, context);
  const documents = trails.map((trail) => {
    const name = asText(trail["name"]);
    const own = attestations.get(name) ?? [];
    const input = JSON.stringify(trailsInput([{ trail, attestations: own }]));
    return { name, input, decided: decisionIn(own, control) };
  });
  const evaluate = (inputs: string[], limits?: typeof LIMITS) => {
    const call = { files: policy.files, params, inputs, at };
    return evaluatePolicy(opa, call, { signal: context.signal, ...(limits && { limits }) });
  };
  const verdicts: (Verdict | PolicyFault)[] = [];
  for (let first = 0; first < documents.length; first += BATCH) {
    const inputs = documents.slice(first, first + BATCH).map(({ input }) => input);
    verdicts.push(...(await evaluate(inputs, LIMITS).catch((fault) => oneByOne(fault, inputs, evaluate))));
  }
  const fault = verdicts.find((verdict) => verdict instanceof PolicyFault);
  if (fault && verdicts.every((verdict) => verdict instanceof PolicyFault)) throw fault;
  const results: TrailResult[] = [];
  const faults: TrailFault[] = [];
  for (const [index, verdict] of verdicts.entries()) {
    const { name: trail = "", decided = null } = documents[index] ?? {};
    if (verdict instanceof PolicyFault) faults.push({ trail, error: verdict.message });
    else results.push({ trail, ...verdict, decided });
  }
  return { results, faults };
}

/**
 * Finds the inputs for which a policy gives no verdict, after it gave none for all of them together.
 *
 * @throws the fault if it would be the same for every input
 */
function oneByOne(
  fault: unknown,
  inputs: readonly string[],
  evaluate: (inputs: string[]) => Promise<Verdict[]>,
): Promise<(Verdict | PolicyFault)[]> {
  if (!(fault instanceof PolicyFault) || isOfEveryInput(fault)) throw fault;
  return fewAtATime(AT_ONCE, inputs, async (input) => {
    try {
      const [verdict] = await evaluate([input]);
      return verdict ?? fault;
    } catch (error) {
      if (error instanceof PolicyFault) return error;
      throw error;
    }
  });
}

/** The trails of the flow since a time, newest first. */
async function readTrails(flow: string, since: number, { call }: ActionContext): Promise<Untyped[]> {
  const trails: Untyped[] = [];
  for (let page = 1; ; page++) {
    const reply = await call(listFlowTrails, { flowName: flow, page, perPage: TRAILS_PER_PAGE }).catch(
      (error: unknown) => {
        throw adviseMissing(error, "Correct `what-if`.");
      },
    );
    const body = reply?.body ?? [];
    const listed = Array.isArray(body) ? body : body.data;
    const recent = listed.filter(({ createdAt }) => createdAt >= since);
    trails.push(...recent.map((each) => asObject(toWire(trailRecord, each))));
    if (recent.length < listed.length || listed.length < TRAILS_PER_PAGE) return trails;
  }
}

/** Attestations of the flow since its oldest trail, by trail, newest first. */
async function readAttestations(flow: string, trails: readonly Untyped[], { call }: ActionContext) {
  const byTrail = new Map<string, Untyped[]>();
  const oldest = trails.at(-1)?.["created_at"];
  if (typeof oldest !== "number") return byTrail;
  const query = { flow: [flow], fromTimestamp: Math.floor(oldest), perPage: ATTESTATIONS_PER_PAGE };
  let after: string | undefined;
  do {
    const reply = await call(listAttestations, { ...query, ...(after !== undefined && { after }) });
    for (const each of reply?.body.data ?? []) {
      const trail = each.trailName ?? "";
      const known = byTrail.get(trail) ?? [];
      known.push(asObject(toWire(attestationRecord, each)));
      byTrail.set(trail, known);
    }
    after = reply?.body._links?.next?.after;
  } while (after !== undefined);
  return byTrail;
}

/** The newest recorded decision about the control for the trail itself, not for one of its artifacts. */
function decisionIn(attestations: readonly Untyped[], control: string | undefined): boolean | null {
  const decision = attestations.find(
    (each) =>
      control !== undefined &&
      each["attestation_type"] === "system:decision" &&
      each["control"] === control &&
      !each["artifact_fingerprint"],
  );
  return decision === undefined ? null : decision["is_compliant"] === true;
}
