import { MAX_EVALUATED_TRAILS } from "../../../api/resources/evaluations.ts";
import { operations } from "../../../api/resources/operations.ts";
import { type ArtifactRow, reportsOfSha } from "../../evidence/artifacts/list.ts";
import { flowIdsInScope } from "../../evidence/flows/list.ts";
import { requireFlow } from "../../evidence/flows/records.ts";
import { requireTrail } from "../../evidence/trails/records.ts";
import type { Caller, Organization } from "../../kernel/caller.ts";
import { NotFound, Unprocessable } from "../../kernel/errors.ts";
import { requireRightTo, type Sender } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { requireEnvironment } from "../environments/records.ts";
import type { EvaluatedContext } from "./context.ts";

/** Ids of the places whose records an evaluation reads. */
export interface EvaluatedPlaces {
  readonly flowIds: readonly string[];
  readonly environmentId: string | null;
}

export interface ReadPlaces extends EvaluatedPlaces {
  /** Ids of the trails that the policy reads. */
  readonly trailIds: readonly string[];
}

/** Checks that the records exist and that the caller may read them. @throws Forbidden, NotFound */
export async function requireReadable(
  db: Database,
  sender: Sender,
  context: EvaluatedContext,
): Promise<ReadPlaces> {
  const { org, caller } = sender;
  if (context.kind === "snapshot") {
    await requireRightTo(db, sender, operations.getSnapshot, { envName: context.environment });
    const { id } = await requireEnvironment(db, org, context.environment);
    return { trailIds: [], flowIds: [], environmentId: id };
  }
  if (context.kind === "artifact") {
    const rows = await reportsOfArtifact(db, { org, scope: caller.scope }, context.fingerprint);
    const flowIds = [...new Set(rows.map(({ flow_id }) => flow_id))];
    return { trailIds: trailIdsOf(rows), flowIds, environmentId: null };
  }
  // Names alone decide first, so that the response does not reveal what exists.
  for (const { flow } of context.trails)
    await requireRightTo(db, sender, operations.getTrail, { flowName: flow });
  const flowIds = new Set<string>();
  const trailIds: string[] = [];
  for (const { flow: flowName, trail } of context.trails) {
    const flow = await requireFlow(db, org, flowName);
    trailIds.push((await requireTrail(db, org, flow, trail)).id);
    flowIds.add(flow.id);
  }
  return { trailIds, flowIds: [...flowIds], environmentId: null };
}

export async function environmentName(db: Database, id: string): Promise<string> {
  const { name } = await db
    .selectFrom("environments")
    .select("name")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return name;
}

/** Whether the caller may read the records of all places. */
export async function mayReadPlaces(
  db: Database,
  { org, caller: { scope } }: Pick<Sender, "org" | "caller">,
  { flowIds, environmentId }: EvaluatedPlaces,
): Promise<boolean> {
  if (scope === null) return true;
  const within = await flowIdsInScope(db, org.id, scope);
  if (!flowIds.every((id) => within?.includes(id))) return false;
  return environmentId === null || scope.environments.includes(await environmentName(db, environmentId));
}

const MAX_REPORTS = 1_000;

/** Reports of an artifact in the flows of the scope, newest first. @throws NotFound, or Unprocessable for too many */
export async function reportsOfArtifact(
  db: Database,
  { org, scope }: { org: Organization; scope: Caller["scope"] },
  fingerprint: string,
): Promise<ArtifactRow[]> {
  const filter = {
    column: "fingerprint" as const,
    prefix: fingerprint,
    flowIds: await flowIdsInScope(db, org.id, scope),
  };
  const reports = await reportsOfSha(db, org.id, filter, MAX_REPORTS);
  if (reports.length === 0)
    throw new NotFound(
      "artifact.not_found",
      `Artifact with fingerprint ${fingerprint} does not exist in organization '${org.name}'`,
    );
  if (trailIdsOf(reports).length > MAX_EVALUATED_TRAILS)
    throw new Unprocessable(
      "request.field_invalid",
      `Artifact with fingerprint ${fingerprint} has more than ${MAX_EVALUATED_TRAILS} trails`,
    );
  return reports;
}

export function trailIdsOf(reports: readonly ArtifactRow[]): string[] {
  return [...new Set(reports.flatMap(({ trail_id }) => trail_id ?? []))];
}
