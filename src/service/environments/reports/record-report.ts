import { Invalid, invalidInput } from "../../kernel/errors.ts";
import type { Organization } from "../../kernel/organization.ts";
import type { RequestContext } from "../../kernel/request-context.ts";
import { recordOrigin } from "../../origins/record-origin.ts";
import { requireReportedEnvironment } from "../../runtime/environments/records.ts";
import { attachedPolicies } from "../../runtime/policies/versions.ts";
import type { RunningArtifact } from "../../runtime/running/artifact.ts";
import { type Judging, takeSnapshot } from "../../runtime/snapshots/take-snapshot.ts";
import type { Database } from "../../store/tables.ts";

/** What runs in an environment, as it was just reported. */
export interface EnvironmentReport {
  environmentName: string;
  /** The type of environment that it is about. */
  kind: string;
  running: readonly RunningArtifact[];
  /** Things run, but of none is it known what it is. */
  undetermined: boolean;
}

/**
 * Records a report. It makes a snapshot unless the latest one still holds, or the report does not know what runs.
 *
 * @returns the number of the snapshot that was made
 * @throws Invalid or NotFound, UnansweredPatterns
 */
export async function recordReport(
  db: Database,
  org: Organization,
  { environmentName, kind, running, undetermined }: EnvironmentReport,
  judging: Judging & Pick<RequestContext, "workflow">,
): Promise<number | undefined> {
  const {
    environment,
    latest,
    policies: attached,
  } = await requireReportedEnvironment(db, org, environmentName);
  refuseOtherType(environment, kind);
  const tellsNothing = undetermined && environment.last_reported_at !== null;
  const policies = attached === 0 ? [] : await attachedPolicies(db, environment.id);
  const snapshot = tellsNothing
    ? undefined
    : await takeSnapshot(db, running, { org, environment, policies, latest, ...judging });
  if (snapshot) await recordOrigin(db, judging, { kind: "snapshot", id: snapshot.id, said: {} });
  await db
    .updateTable("environments")
    .set({ last_reported_at: judging.now, ...(snapshot && { latest_snapshot_id: snapshot.id }) })
    .where("id", "=", environment.id)
    .execute();
  return snapshot?.number;
}

function refuseOtherType({ name, type }: { name: string; type: string }, kind: string): void {
  if (type === "logical") {
    throw new Invalid(`cannot report a snapshot to the logical environment ${name}`);
  }
  if (type !== kind) {
    throw invalidInput(
      { type: `Environment '${name}' has the type '${type}' [input: ${kind}]` },
      "Invalid report data",
    );
  }
}
