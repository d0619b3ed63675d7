import type { PolicyEvaluation } from "../../api/policy-evaluations.ts";
import type { DeployedFlow } from "../environments/deployment.ts";
import { parseExactJson } from "../exact-json.ts";

/** What a snapshot keeps of an artifact beyond what runs it. */
export interface SnapshotDetails {
  flows: readonly DeployedFlow[];
  policyDecisions: readonly PolicyEvaluation[];
  /** It may run whatever the policies say. */
  allowed: boolean;
}

const NOTHING: SnapshotDetails = { flows: [], policyDecisions: [], allowed: false };

/** What goes into the column. Most of a large report may be things that nobody here has built. */
export function detailsColumn({ flows, policyDecisions, allowed }: SnapshotDetails): object {
  return flows.length === 0 && policyDecisions.length === 0 && !allowed
    ? {}
    : { flows, policyDecisions, allowed };
}

export function readDetails(column: string): SnapshotDetails {
  if (column === "{}") return NOTHING;
  // Written by this service from a value of this type.
  return parseExactJson(column) as SnapshotDetails;
}
