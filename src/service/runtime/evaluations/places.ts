import { operations } from "../../../api/resources/operations.ts";
import { flowIdsInScope } from "../../evidence/flows/list.ts";
import { requireFlow } from "../../evidence/flows/records.ts";
import { requireTrail } from "../../evidence/trails/records.ts";
import { requireRightTo, type Sender } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { requireEnvironment } from "../environments/records.ts";
import type { EvaluatedContext } from "./context.ts";
import { reportsOfArtifact, trailIdsOf } from "./read-input.ts";

/** Ids of the places whose records an evaluation reads. */
export interface EvaluatedPlaces {
  readonly flowIds: readonly string[];
  readonly environmentId: string | null;
}

interface ReadPlaces extends EvaluatedPlaces {
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

/** Whether the caller may read the records of all places. */
export async function mayReadPlaces(
  db: Database,
  { org, caller: { scope } }: Pick<Sender, "org" | "caller">,
  { flowIds, environmentId }: EvaluatedPlaces,
): Promise<boolean> {
  if (scope === null) return true;
  const within = await flowIdsInScope(db, org.id, scope);
  if (!flowIds.every((id) => within?.includes(id))) return false;
  if (environmentId === null) return true;
  const environment = await db
    .selectFrom("environments")
    .select("name")
    .where("id", "=", environmentId)
    .executeTakeFirstOrThrow();
  return scope.environments.includes(environment.name);
}
