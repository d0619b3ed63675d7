import * as z from "zod/mini";
import { type PolicyEvaluation, policyEvaluation } from "../../api/policy-evaluations.ts";
import { deploymentDiff } from "../../api/snapshot-records.ts";
import { fromWire, toWire } from "../../api/wire-names.ts";
import type { DeployedFlow } from "../environments/deployment.ts";
import { parseExactJson } from "../exact-json.ts";

/** What a snapshot keeps of an artifact beyond what runs it. */
export interface SnapshotDetails {
  flows: readonly DeployedFlow[];
  policyDecisions: readonly PolicyEvaluation[];
  /** It may run whatever the policies say. */
  allowed: boolean;
}

const stored = z.looseObject({
  flows: z.array(
    z.looseObject({
      artifact_id: z.string(),
      flow_name: z.string(),
      trail_id: z.nullable(z.string()),
      trail_name: z.nullable(z.string()),
      template_name: z.nullable(z.string()),
      commit_sha: z.nullable(z.string()),
      commit_url: z.string(),
      git_commit_info: z.nullable(z.record(z.string(), z.unknown())),
      deployment_diff: z.nullable(deploymentDiff),
      commit_lead_time: z.nullable(z.number()),
    }),
  ),
  policy_decisions: z.array(policyEvaluation),
  allowed: z.boolean(),
});

const NOTHING = "{}";

export function detailsColumn(details: SnapshotDetails): string {
  const { flows, policyDecisions, allowed } = details;
  // Most of a large report may be things that nobody here has built.
  if (flows.length === 0 && policyDecisions.length === 0 && !allowed) return NOTHING;
  return JSON.stringify(toWire(stored, details));
}

export function readDetails(column: string): SnapshotDetails {
  if (column === NOTHING) return { flows: [], policyDecisions: [], allowed: false };
  // Written by this service from a value of this type.
  return fromWire(stored, parseExactJson(column)) as SnapshotDetails;
}
