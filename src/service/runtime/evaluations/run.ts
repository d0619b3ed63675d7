import { hash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import type { FileToSend } from "../../../api/files.ts";
import type { OperationShape } from "../../../api/operation.ts";
import { type Enforcement, outcomeOf } from "../../../evidence/rego/decision-outcome.ts";
import type { PolicyCall } from "../../../evidence/rego/evaluate.ts";
import { describeEvaluation, engineName, inputDigest } from "../../../evidence/rego/evaluation-package.ts";
import { PolicyFault, type Verdict } from "../../../evidence/rego/verdict.ts";
import { record } from "../../evidence/attestations/attest.ts";
import { DECISION_TYPE } from "../../evidence/controls/decisions.ts";
import type { PolicyVersion } from "../../evidence/controls/policies/records.ts";
import { trailsOf } from "../../evidence/trails/list.ts";
import { unknownTrail } from "../../evidence/trails/records.ts";
import type { EvaluatedBy } from "../../judging/policies/decided-by.ts";
import type { PolicyEngine } from "../../judging/policy-engine.ts";
import { Forbidden, isRefusal, Refusal } from "../../kernel/errors.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { CallOf } from "../../operation/handler.ts";
import { requestHash } from "../../operation/idempotency.ts";
import { keepsRights } from "../../people/accounts/keys.ts";
import type { ReceivedFile } from "../../store/blobs/attachments.ts";
import type { Database } from "../../store/tables.ts";
import type { EvaluatedContext } from "./context.ts";
import type { ReadPlaces } from "./places.ts";
import type { UsedPolicy } from "./policy.ts";
import { type Input, readInput } from "./read-input.ts";
import { endEvaluation, type Failed, STOPPED } from "./records.ts";

export interface Evaluation {
  readonly id: string;
  readonly engine: PolicyEngine;
  readonly context: ServiceContext;
  /** The request, in whose caller's name the decision is recorded. */
  readonly call: CallOf<OperationShape>;
  readonly evaluated: EvaluatedContext;
  readonly places: ReadPlaces;
  readonly policy: UsedPolicy;
  readonly params: PolicyCall["params"];
  readonly decision: DecisionToRecord | undefined;
}

export interface DecisionToRecord {
  readonly control: string;
  readonly name: string;
  /** Its flow may get another name before the decision is recorded. */
  readonly trailId: string;
  readonly fingerprint: string | undefined;
}

/** The evaluation was ended elsewhere, so its decision must not be recorded. */
class EndedElsewhere extends Error {}

/** Evaluates a policy, and records the result once, with its decision in the same transaction. Does not throw. */
export async function runEvaluation(evaluation: Evaluation): Promise<void> {
  const { id, context } = evaluation;
  const { store, now, log } = context;
  try {
    await complete(evaluation);
  } catch (error) {
    if (error instanceof EndedElsewhere) return;
    const message = `The evaluation ${id} failed`;
    if (!isOfRequest(error)) log({ level: "error", message, error });
    const end: Failed = { status: "failed", error: failureOf(error) };
    await store
      .write((db) => endEvaluation(db, { id, at: now(), end }))
      // A job fails it later.
      .catch((cause: unknown) => log({ level: "error", message, error: cause }));
  }
}

/** Whether the request caused the failure, rather than the service. */
function isOfRequest(error: unknown): boolean {
  return error instanceof PolicyFault ? error.kind !== "engine" : error instanceof Refusal;
}

function failureOf(error: unknown): Failed["error"] {
  if (error instanceof PolicyFault) return { kind: error.kind, message: error.message };
  if (isRefusal(error, "service.busy")) return STOPPED;
  if (error instanceof Refusal) return { kind: "decision", message: error.message };
  return { kind: "service", message: "The service failed to evaluate the policy: evaluate it again" };
}

interface Evaluated extends PolicyCall {
  readonly input: Input;
}

async function complete(evaluation: Evaluation): Promise<void> {
  const { id, engine, context, call, evaluated, places, policy, params, decision } = evaluation;
  const { call: made, verdict } = await engine.evaluate(call.org.id, async (): Promise<Evaluated> => {
    const input = await readInput({ context, call, evaluated, places });
    return { files: policy.files, params, inputs: [input.text], at: input.at, input };
  });
  const { violations, ...others } = verdict;
  const { text, at } = made.input;
  const result = {
    ...{ ...others, violations: [...violations], engine: engineName(engine.opa) },
    ...{ evaluatedAt: at, inputDigest: inputDigest(text) },
  };
  const end = async (db: Database, attestationId: string | null) => {
    const ended = { status: "completed", result, attestationId } as const;
    if (!(await endEvaluation(db, { id, at: context.now(), end: ended }))) throw new EndedElsewhere();
  };
  if (decision === undefined) await context.store.write((db) => end(db, null));
  else await recordDecision({ ...evaluation, decision }, { made, verdict, end });
}

interface Outcome {
  readonly made: Evaluated;
  readonly verdict: Verdict;
  readonly end: (db: Database, attestationId: string) => Promise<void>;
}

/** Records a decision as `attestSystem` does, which takes none that the service made. */
async function recordDecision(
  {
    id,
    engine,
    context,
    call,
    policy,
    decision,
  }: Evaluation & { decision: NonNullable<Evaluation["decision"]> },
  { made, verdict, end }: Outcome,
): Promise<void> {
  const { control, name, trailId, fingerprint } = decision;
  const reception = context.attachments.receive();
  const { org, caller, source } = call;
  try {
    const { files, params, at, input } = made;
    const published = policy.published && evaluatedByOf(policy.published);
    const { record: evaluation, file } = await describeEvaluation({
      ...{ by: "service", opa: engine.opa, files, params, context: input.of, at, verdict },
      ...(published && { published }),
      input: input.text,
    });
    const [place] = await trailsOf(context.store.read, [trailId]);
    if (place === undefined) throw new Error(`The trail ${trailId} of a decision was not found`);
    const { isCompliant, warned } = outcomeOf(policy.published ?? BINDING, verdict, at);
    const submission = {
      ...{ org, caller, source },
      params: { flowName: place.flow_name, trailName: place.name },
      body: { attestationName: name, ...(fingerprint !== undefined && { artifactFingerprint: fingerprint }) },
      files: { attachmentFile: [await receivedFile(reception.newPath(), file)] },
      // No request repeats it.
      identity: {
        apiKeyId: caller.keyId,
        idempotencyKey: undefined,
        hash: () => requestHash(["evaluation", id]),
      },
    };
    await record(submission, context, {
      mayBegin: false,
      resolve: (trail) => {
        if (trail.id !== trailId) throw unknownTrail(org.name, place.flow_name, place.name);
        return {
          type: DECISION_TYPE,
          isCompliant,
          shown: {
            type_name: "decision",
            control,
            attestation_data: { is_compliant: isCompliant, ...(warned && { warned }), evaluation },
          },
          ...(published && { evaluatedBy: published }),
        };
      },
      async alongside(db, attestationId) {
        if (!(await keepsRights(db, caller, context.now())))
          throw new Forbidden("access.denied", "The key of the request was revoked, or has another role now");
        await end(db, attestationId);
      },
    });
  } finally {
    await reception.discard();
  }
}

/** The denials of files that are not published always count. */
const BINDING: Enforcement = { warnOnly: false, effectiveFrom: null };

function evaluatedByOf({ identifier, version }: PolicyVersion): EvaluatedBy {
  return { identifier, version };
}

/** Writes the package of an evaluation to a file. */
async function receivedFile(path: string, { name, content }: FileToSend): Promise<ReceivedFile> {
  const bytes = Buffer.from(await content.arrayBuffer());
  await writeFile(path, bytes, { flag: "wx", mode: 0o600 });
  return { path, name, mediaType: content.type, size: bytes.length, sha256: hash("sha256", bytes) };
}
