import { setTimeout as delay } from "node:timers/promises";
import { attestationName } from "../../../api/names.ts";
import type { EvaluationRequest } from "../../../api/resources/evaluations.ts";
import { requireReported } from "../../evidence/attestations/records.ts";
import { decidedControl } from "../../evidence/controls/decisions.ts";
import { findControl, unknownControlText } from "../../evidence/controls/records.ts";
import { findPlace, requireOpenTrail } from "../../evidence/trails/open-trail.ts";
import type { PolicyEngine } from "../../judging/policy-engine.ts";
import { Forbidden, Invalid, invalidInput } from "../../kernel/errors.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Handler, Sender } from "../../operation/handler.ts";
import { once } from "../../operation/idempotency.ts";
import { newId } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { contextIn } from "./context.ts";
import { mayReadPlaces, requireReadable } from "./places.ts";
import { policyIn, requireUsable, type UsedPolicy } from "./policy.ts";
import { addEvaluation, evaluationView, requireEvaluation, unknownEvaluation } from "./records.ts";
import { type DecisionToRecord, runEvaluation } from "./run.ts";

/** Time to wait for the result, in milliseconds. Most evaluations take less. */
const ANSWER_MS = 1_000;

export const createEvaluation: Handler<"createEvaluation"> = async (call, context) => {
  const { org, body, identity } = call;
  const { store, now } = context;
  const { params = {} } = body;
  const given = policyIn(body.policy);
  const evaluated = contextIn(body.context);
  const asked = body.decision && withName(body.decision);
  const { places, policy, decision } = await store.readTogether(async (db) => {
    const policy = await requireUsable(db, org, given);
    const { published } = policy;
    const places = await requireReadable(db, call, evaluated);
    const decision =
      asked && (await requireDecidable(db, call, { ...asked, published, readTrails: places.trailIds }));
    return { places, policy, decision };
  });
  const engine = requireEngine(context);
  const id = newId();
  const record = () =>
    store.write((db) =>
      once(db, {
        identity,
        now: now(),
        record: async () => {
          await addEvaluation(db, {
            ...{ id, org_id: org.id, instance_id: engine.instanceId, requested_at: now() },
            flow_ids: JSON.stringify(places.flowIds),
            environment_id: places.environmentId,
          });
          return { status: 201, body: evaluationView(await requireEvaluation(db, org, id)) } as const;
        },
        repeat: async (first) => ({
          ...first,
          body: evaluationView(await requireEvaluation(db, org, first.body.id)),
        }),
      }),
    );
  const recorded = Promise.withResolvers<Awaited<ReturnType<typeof record>>>();
  const ended = engine.start(org.id, async () => {
    recorded.resolve(record());
    const { body } = await recorded.promise;
    if (body.id === id)
      await runEvaluation({ id, engine, context, call, evaluated, places, policy, params, decision });
  });
  const answer = await recorded.promise;
  if (answer.body.id !== id) return answer;
  await Promise.race([ended, delay(ANSWER_MS, undefined, { ref: false })]);
  return { ...answer, body: evaluationView(await requireEvaluation(store.read, org, id)) };
};

export const getEvaluation: Handler<"getEvaluation"> = async ({ org, caller, params: { id } }, { store }) =>
  store.readTogether(async (db) => {
    const row = await requireEvaluation(db, org, id);
    const flowIds: string[] = JSON.parse(row.flow_ids);
    const places = { flowIds, environmentId: row.environment_id };
    // The response does not reveal that it exists.
    if (!(await mayReadPlaces(db, { org, caller }, places))) throw unknownEvaluation(org, id);
    return { status: 200, body: evaluationView(row) };
  });

/** @throws Invalid */
function requireEngine({ policyEngine }: ServiceContext): PolicyEngine {
  if (policyEngine !== undefined) return policyEngine;
  throw new Invalid(
    "evaluation.not_enabled",
    "The service does not evaluate policies: start it with --opa PATH, the path of the program opa",
  );
}

type Decision = NonNullable<EvaluationRequest["decision"]>;

/** @throws Invalid if the default name is not valid */
function withName(decision: Decision): Decision & { name: string } {
  const name = decision.name ?? `${decision.control}-decision`;
  if (attestationName.safeParse(name).success) return { ...decision, name };
  throw invalidInput({
    "decision.name": `Give a name, because '${name}' may only have letters, digits, '-', '_' and ','`,
  });
}

interface Decidable extends Decision, Pick<UsedPolicy, "published"> {
  readonly name: string;
  /** Ids of the trails that the policy reads. */
  readonly readTrails: readonly string[];
}

/** Checks before the evaluation what recording the decision requires. @throws Refusal */
async function requireDecidable(
  db: Database,
  { org, caller }: Sender,
  { control, name, flow, trail, fingerprint, published, readTrails }: Decidable,
): Promise<DecisionToRecord> {
  // As for `attestSystem`: a decision about a control counts for its artifact in every flow.
  if (caller.scope !== null) throw new Forbidden();
  const names = { flowName: flow, trailName: trail };
  const place = await requireOpenTrail(db, org, names, await findPlace(db, org.id, names));
  requireReported(place.trail, fingerprint, { org, ...names });
  // Otherwise, the evidence of one trail could close the control of another.
  if (published && !readTrails.includes(place.trail.id))
    throw invalidInput({
      "decision.trail": "A decision policy decides only about a trail that it reads: add it to the context",
    });
  if (!(await findControl(db, org.id, control)))
    throw invalidInput(
      { "decision.control": unknownControlText(org, control) },
      { code: "control.not_found" },
    );
  await decidedControl(db, { orgId: org.id, identifier: control, evaluatedBy: published });
  return { control, name, trailId: place.trail.id, fingerprint };
}
