import { setTimeout as delay } from "node:timers/promises";
import { ApiError } from "../../api/client/errors.ts";
import {
  createEvaluation,
  type EvaluationAnswer,
  type EvaluationRequest,
  getEvaluation,
} from "../../api/resources/evaluations.ts";
import { getSnapshot } from "../../api/resources/snapshots.ts";
import type { Untyped } from "../../api/untyped.ts";
import { describePolicy } from "../../evidence/rego/evaluation-package.ts";
import type { PolicyFiles } from "../../evidence/rego/policy-files.ts";
import { PolicyFault, type PolicyFaultKind, type PolicyProblem } from "../../evidence/rego/verdict.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { trailUrl } from "../links.ts";
import { decisionPlace, recordedText } from "./decision.ts";
import type { EvaluateRequest } from "./inputs.ts";
import type { Evaluated } from "./outcome.ts";
import type { UsedPolicy } from "./policy.ts";
import { artifactTrails, type Subject } from "./records.ts";

/** Pauses before a pending evaluation is requested again, in seconds. The last one repeats. */
const PAUSES = [0.5, 1, 2, 4, 5];

/** Inputs by field of the request. */
const FIELDS = {
  context: "trails",
  "context.artifact": "fingerprint",
  "context.environment": "environment",
  "decision.control": "control",
  "decision.name": "name",
  "decision.flow": "decision-trail",
  "decision.trail": "decision-trail",
  policy: "policy",
  params: "params",
};

/**
 * Has the service evaluate the policy and record the decision.
 *
 * @returns undefined in a dry run
 * @throws {PolicyFault} if the evaluation fails or does not end in time
 */
export async function evaluateOnService(
  subject: Subject,
  { policy, params }: { readonly policy: UsedPolicy; readonly params: Untyped },
  values: EvaluateRequest,
  context: ActionContext,
): Promise<Evaluated | undefined> {
  const { files, published } = policy;
  const asked = await contextOf(subject, context);
  const decision = await decisionOf(subject, values, context);
  // A dry run cannot read what these depend on.
  if (asked === undefined || decision === "unknown") return undefined;
  const body = {
    context: asked.request,
    policy: published ?? { files: { ...files } },
    params,
    ...(decision && { decision }),
  };
  const reply = await context.call(createEvaluation, { body }, { fields: FIELDS }).catch((error: unknown) => {
    throw isNotEnabled(error) ? new PolicyFault("engine", [{ message: error.serviceMessage }], error) : error;
  });
  if (reply === undefined) return undefined;
  const answer = await ended(reply.body, context);
  const { result } = answer;
  if (result === null) throw faultOf(answer.error, files);
  if (decision) context.info(recordedText(decision));
  const { allow, violations, skipped = null, engine, inputDigest } = result;
  const evaluatedAt = result.evaluatedAt ?? answer.recordedAt ?? answer.requestedAt;
  return {
    record: {
      ...(engine !== undefined && { engine }),
      ...{ evaluated_by: "service", policy: describePolicy(files, published), params },
      ...{ context: asked.recorded, evaluated_at: evaluatedAt, allow, violations, skipped },
      ...(inputDigest !== undefined && { input_digest: inputDigest }),
    },
    decision: decision && {
      id: answer.decisionAttestationId,
      name: decision.name,
      control: decision.control,
      url: trailUrl(context.connection, decision.flow, decision.trail),
    },
  };
}

function isNotEnabled(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === "evaluation.not_enabled";
}

interface Asked {
  readonly request: EvaluationRequest["context"];
  readonly recorded: Evaluated["record"]["context"];
}

async function contextOf(subject: Subject, { call }: ActionContext): Promise<Asked | undefined> {
  if ("trails" in subject) {
    const trails = subject.trails.map(({ flow, trail }) => ({ flow, trail }));
    return { request: { trails }, recorded: { trails } };
  }
  if ("fingerprint" in subject) {
    const artifact = subject.fingerprint;
    return { request: { artifact }, recorded: { artifact } };
  }
  // The service takes only numbers of snapshots.
  const { environment, snapshot } = subject;
  const found = await call(getSnapshot, { envName: environment, snapshotExpression: snapshot });
  if (found === undefined) return undefined;
  const numbered = { environment, snapshot: Number(found.body.index) };
  return { request: numbered, recorded: numbered };
}

async function decisionOf(subject: Subject, values: EvaluateRequest, context: ActionContext) {
  const { control, name } = values;
  if (control === undefined || name === undefined) return undefined;
  if ("fingerprint" in subject) {
    const { fingerprint } = subject;
    const [newest] = values.decisionTrail === undefined ? await artifactTrails(fingerprint, 1, context) : [];
    if (newest === undefined && values.decisionTrail === undefined) return "unknown";
    return { control, name, fingerprint, ...decisionPlace(values, newest) };
  }
  const [only] = "trails" in subject ? subject.trails : [];
  return { control, name, ...decisionPlace(values, only) };
}

/** Polls the evaluation until its end, within the time limit of the requests. */
async function ended(
  first: EvaluationAnswer,
  { call, connection, signal }: ActionContext,
): Promise<EvaluationAnswer> {
  return connection.within(async (deadline) => {
    let answer = first;
    for (let polls = 0; answer.status === "pending"; polls++) {
      const seconds = PAUSES[polls] ?? PAUSES.at(-1) ?? 0;
      await delay(seconds * 1000, undefined, { signal: deadline.signal }).catch((error: unknown) => {
        if (signal.aborted) throw error;
        const message = `the evaluation did not end within ${deadline.seconds} s: set a longer \`timeout\``;
        throw new PolicyFault("engine", [{ message }]);
      });
      answer = (await call(getEvaluation, { id: answer.id }))?.body ?? answer;
    }
    return answer;
  });
}

function faultOf(error: EvaluationAnswer["error"], files: PolicyFiles): PolicyFault {
  const { kind = "", message = "the service gave no result" } = error ?? {};
  const known = KINDS.find((each) => each === kind) ?? "engine";
  const text = kind === "decision" ? `the decision could not be recorded: ${message}` : message;
  return new PolicyFault(known, problemsIn(text, Object.keys(files)));
}

const KINDS: readonly PolicyFaultKind[] = ["policy", "evaluation", "limit", "engine"];

/** Reads the lines `FILE:LINE: MESSAGE` of an error. Any other line continues the message before it. */
function problemsIn(text: string, files: readonly string[]): PolicyProblem[] {
  const problems: PolicyProblem[] = [];
  for (const each of text.split("\n")) {
    const file = files.find((name) => each.startsWith(`${name}:`));
    const last = problems.at(-1);
    if (file !== undefined) {
      const [, line, message = ""] = /^(?:(\d+):)?\s*(.*)$/s.exec(each.slice(file.length + 1)) ?? [];
      problems.push({ message, file, ...(line !== undefined && { line: Number(line) }) });
    } else if (last === undefined) problems.push({ message: each });
    else problems[problems.length - 1] = { ...last, message: `${last.message}\n${each}` };
  }
  return problems;
}
