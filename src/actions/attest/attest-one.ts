import { COMPLIANT_HEADER } from "../../api/resources/attestation-fields.ts";
import type { SystemType } from "../../api/resources/attestation-type.ts";
import { FLOW_CREATED_HEADER } from "../../api/resources/provenance.ts";
import {
  readTemplateMatch,
  TEMPLATE_MATCH_HEADER,
  type TemplateMatch,
} from "../../api/resources/template-match.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { Table } from "../../github/step/summary.ts";
import type { Headers } from "../../net/headers.ts";
import { trailUrl } from "../links.ts";
import { type DescribeCommit, describeOrigin, trailOf } from "../origin.ts";
import { fingerprintOf } from "../subject.ts";
import { tolerateUnavailable } from "../unavailable.ts";
import type { AttestationRequest, Fingerprinted, Recorded, Remarks } from "./attestation-request.ts";
import { factsOf } from "./facts.ts";
import type { AttestationInputs } from "./inputs.ts";
import { record } from "./record.ts";

export interface Attested {
  readonly name: string;
  readonly kind: AttestationInputs["kind"];
  /** Type of recorded facts; undefined for a judged result. */
  readonly facts: SystemType | undefined;
  readonly status: "recorded" | "spooled" | "skipped" | "dry-run";
  readonly flow: string;
  readonly trail: string;
  readonly trailUrl: string;
  readonly compliant: boolean | undefined;
  /** Empty when compliant or unknown. */
  readonly reason: string;
  readonly fingerprint: string | undefined;
  readonly commit: string | undefined;
  readonly commitUrl: string | undefined;
  readonly attachments: readonly string[];
  readonly requestId: string | undefined;
  /** Headers of the response; none if nothing was recorded. */
  readonly headers: Headers;
  /** Match with the trail's template; undefined if the service does not report it. */
  readonly match: TemplateMatch | undefined;
  readonly tables: readonly Table[];
  readonly remarks: readonly Remarks[];
}

export async function attestOne(
  values: AttestationInputs,
  context: ActionContext,
  describeCommit?: DescribeCommit,
): Promise<Attested> {
  const { flow, name } = values;
  const [fingerprinted, origin] = await Promise.all([
    withFingerprint(values, context),
    describeOrigin(values, context, describeCommit),
  ]);
  const trail = trailOf(values.trail, origin, context.runner);
  const { done, status } = await recordOrKeep({ ...fingerprinted, trail, origin }, context);
  if (fingerprinted.kind === "artifact" && context.runner.artifactsFile !== undefined && !context.dryRun) {
    const { declareFingerprinted } = await import("./declare.ts");
    declareFingerprinted(fingerprinted.values.subject, fingerprinted.fingerprint, context);
  }
  const verdict = done.reason === "" ? "" : `, not compliant: ${done.reason}`;
  const facts = factsOf(values);
  const what = `${values.kind} ${facts === undefined ? "attestation" : "facts"}`;
  if (status === "recorded") context.info(`Recorded ${what} '${name}' on trail '${trail}'${verdict}.`);
  if (done.reply?.headers[FLOW_CREATED_HEADER.toLowerCase()] === "true")
    context.warn(
      `Flow '${flow}' did not exist, so the service created it. The new flow requires nothing. If the name is wrong, correct \`flow\` and archive '${flow}'. To fail instead, set create-flow: false.`,
    );
  return {
    name,
    kind: values.kind,
    facts,
    status,
    flow,
    trail,
    trailUrl: trailUrl(context.connection, flow, trail),
    compliant: done.compliant ?? verdictIn(done),
    reason: done.reason,
    fingerprint: fingerprinted.fingerprint,
    commit: origin.gitCommitInfo?.sha1,
    commitUrl: origin.gitCommitInfo?.url ?? undefined,
    attachments: status === "skipped" ? [] : done.attachments,
    requestId: done.reply?.requestId,
    headers: done.reply?.headers ?? {},
    match: readTemplateMatch(done.reply?.headers[TEMPLATE_MATCH_HEADER.toLowerCase()]),
    tables: done.tables,
    remarks: done.remarks ?? [],
  };
}

async function withFingerprint(values: AttestationInputs, context: ActionContext): Promise<Fingerprinted> {
  if (values.kind === "artifact") {
    return { kind: values.kind, values, fingerprint: await fingerprintOf(values.subject, context) };
  }
  const fingerprint = values.subject && (await fingerprintOf(values.subject, context));
  return { kind: values.kind, values, fingerprint };
}

/** Records an attestation, or applies `on-unavailable` if the service is unavailable. */
async function recordOrKeep(attestation: AttestationRequest, context: ActionContext) {
  const { onUnavailable } = attestation.values;
  if (onUnavailable === "spool") {
    const { withSpool } = await import("../with-spool.ts");
    const { done, isSpooled } = await withSpool(context, (own) => record(attestation, own));
    return { done, status: isSpooled ? "spooled" : statusOf(done) };
  }
  let skipped = false;
  // Only the call may find the service unavailable: everything read before it stays valid.
  const call: ActionContext["call"] = async (...sent) => {
    const answer = await tolerateUnavailable(onUnavailable, context, async () => ({
      reply: await context.call(...sent),
    }));
    skipped = answer === undefined;
    return answer?.reply;
  };
  const done = await record(attestation, { ...context, call });
  return { done, status: skipped ? "skipped" : statusOf(done) };
}

function statusOf({ reply }: Recorded): Attested["status"] {
  return reply === undefined ? "dry-run" : "recorded";
}

/** The result from the response header, for kinds that only the service evaluates. */
function verdictIn({ reply }: Recorded): boolean | undefined {
  const value = reply?.headers[COMPLIANT_HEADER.toLowerCase()];
  return value === "true" ? true : value === "false" ? false : undefined;
}

/** A record and its inputs. */
export interface AttestResult {
  readonly values: AttestationInputs;
  readonly done: Attested;
}
