import { getArtifact } from "../../api/resources/artifacts.ts";
import {
  type Failure,
  type FlowVerdict,
  failuresOf,
  flowsOf,
  isUnexpected,
  placeOf,
} from "../../api/resources/assert-failures.ts";
import type { Assertion } from "../../api/resources/asserts.ts";
import { getFlow } from "../../api/resources/flows.ts";
import type { TemplateSlots } from "../../api/resources/match-template.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { fewAtATime } from "../../net/few-at-a-time.ts";
import {
  namesInTrail,
  type ReadTrail,
  templateOfFlow,
  templateOfTrail,
  trailReader,
} from "../trail-template.ts";
import { recordedInstead } from "./recorded-instead.ts";

/** The failures of the gate, with details from the trails. Each trail is read once. */
export async function explainedByTrails(
  assertion: Assertion,
  { allowUnexpected }: { readonly allowUnexpected: boolean },
  context: ActionContext,
): Promise<Failure[]> {
  const readTrail = trailReader(context);
  // An allowlist entry names this exact artifact, so it counts as expected.
  const mayBeUnexpected = allowUnexpected || Boolean(assertion.allowListing);
  const unexpected = mayBeUnexpected ? [] : await unexpectedIn(assertion, readTrail, context);
  const failures = failuresOf(assertion);
  if (!failures.some(({ reason }) => reason === "missing")) return [...unexpected, ...failures];
  const insteadOf = await recordedInstead(assertion, readTrail);
  return [...unexpected, ...failuresOf(assertion, insteadOf)];
}

/** Flows read at a time. */
const AT_A_TIME = 4;

/**
 * The flows whose template does not list the artifact's name. Nothing is required there, so the service reports the
 * artifact as compliant without evidence. A template without artifacts expects none.
 *
 * @throws what a call throws, so that the gate stays closed when the check cannot run
 */
async function unexpectedIn(assertion: Assertion, readTrail: ReadTrail, context: ActionContext) {
  const suspects = flowsOf(assertion).filter(isUnexpected);
  const failures = await fewAtATime(AT_A_TIME, suspects, async (verdict) => {
    const { template, reportedAs } = await reportIn(verdict, assertion.fingerprint, readTrail, context);
    const names = template?.artifacts.map(({ name }) => name);
    return names?.length === 0 ? [] : [failureOf(verdict, names, reportedAs)];
  });
  return failures.flat();
}

/** The flow's template, undefined if it cannot be read, and the artifact's names reported in the flow. */
async function reportIn(
  { flow, trail }: FlowVerdict,
  fingerprint: string,
  readTrail: ReadTrail,
  context: ActionContext,
): Promise<{ template: TemplateSlots | undefined; reportedAs: string[] }> {
  if (!flow) return { template: undefined, reportedAs: [] };
  if (!trail) {
    const inFlow = await context.call(getFlow, { flowName: flow });
    const template = inFlow && (await templateOfFlow(inFlow.body));
    if (template?.artifacts.length === 0) return { template, reportedAs: [] };
    const reply = await context.call(getArtifact, { flowName: flow, fingerprint });
    const name = reply?.body.templateReferenceName ?? reply?.body.filename;
    return { template, reportedAs: name === undefined ? [] : [name] };
  }
  const read = await readTrail({ flow, trail });
  return { template: read && templateOfTrail(read), reportedAs: read ? namesInTrail(read, fingerprint) : [] };
}

/** Names of a template in one message. */
const MOST_NAMES = 10;

function failureOf(
  { flow, trail }: FlowVerdict,
  names: readonly string[] | undefined,
  reportedAs: readonly string[],
): Failure {
  const where = placeOf(flow, trail);
  const has = names
    ? `the template${where} lists the ${names.length === 1 ? "artifact" : "artifacts"} ${quoted(names)}`
    : `the template${where} cannot be read, and the service reports the artifact as unexpected`;
  const how = reportedAs.length > 0 ? `; this one was reported as ${quoted(reportedAs)}` : "";
  const advice =
    "report it under a name that the template lists (attest, kind: artifact), or set allow-unexpected: true";
  return {
    reason: "unexpected",
    text: `${has}${how}${trail || !flow ? "" : ", without a trail"}: ${advice}`,
    ...(flow && { flow }),
    ...(trail && { trail }),
  };
}

function quoted(names: readonly string[]): string {
  const further = names.length - MOST_NAMES;
  const shown = names.slice(0, MOST_NAMES).map((name) => `'${name}'`);
  return shown.join(", ") + (further > 0 ? ` and ${further} more` : "");
}
