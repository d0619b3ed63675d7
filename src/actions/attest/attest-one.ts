import { InputError } from "../../api/errors.ts";
import type { ActionContext } from "../../github/action.ts";
import type { Table } from "../../github/summary.ts";
import { trailUrl } from "../links.ts";
import { type DescribeCommit, describeOrigin, trailOf } from "../origin.ts";
import { fingerprintOf } from "../subject.ts";
import { unlessUnavailable } from "../unavailable.ts";
import type { Remarks } from "./claim.ts";
import { type ClaimValues, claimProblems } from "./inputs.ts";
import { record } from "./record.ts";

/** What came of one attestation. */
export interface Attested {
  readonly name: string;
  readonly kind: ClaimValues["kind"];
  readonly status: "recorded" | "skipped" | "dry-run";
  readonly flow: string;
  readonly trail: string;
  readonly trailUrl: string;
  readonly compliant: boolean | undefined;
  /** Why it is not compliant; empty when it is, or nobody said. */
  readonly reason: string;
  readonly fingerprint: string | undefined;
  readonly commit: string | undefined;
  readonly attachments: readonly string[];
  readonly requestId: string | undefined;
  readonly tables: readonly Table[];
  readonly remarks: readonly Remarks[];
}

/** Describes, fingerprints, reads and records one attestation. */
export async function attestOne(
  values: ClaimValues,
  context: ActionContext,
  describeCommit?: DescribeCommit,
): Promise<Attested> {
  const { flow, name } = values;
  if (flow === undefined || name === undefined) throw new InputError(claimProblems(values, new Set()));
  const [fingerprint, origin] = await Promise.all([
    fingerprintOf(values, context),
    describeOrigin(values, context, describeCommit),
  ]);
  const trail = trailOf(values.trail, origin);
  const claim = { values, flow, trail, name, fingerprint, origin };
  const done = await unlessUnavailable(values.onUnavailable, context, () => record(claim, context));
  const status = done === undefined ? "skipped" : done.requestId === undefined ? "dry-run" : "recorded";
  const verdict = done?.reason ? `, not compliant: ${done.reason}` : "";
  if (status === "recorded")
    context.info(`Recorded ${values.kind} attestation '${name}' on trail '${trail}'${verdict}.`);
  return {
    name,
    kind: values.kind,
    status,
    flow,
    trail,
    trailUrl: trailUrl(context.connection, flow, trail),
    // What was never sent may still be known: the user said it.
    compliant: done ? done.compliant : values.compliant,
    reason: done?.reason ?? "",
    fingerprint,
    commit: origin.gitCommitInfo?.sha1,
    attachments: done?.attachments ?? [],
    requestId: done?.requestId,
    tables: done?.tables ?? [],
    remarks: done?.remarks ?? [],
  };
}
