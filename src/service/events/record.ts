import type { ActContext } from "../kernel/caller.ts";
import { type Given, prepared, together } from "../store/prepared.ts";
import type { Database, Tables } from "../store/tables.ts";
import { changesBetween, isChanged, NOTHING, type State } from "./changes.ts";
import { eventRow } from "./digest.ts";
import { PROJECTIONS } from "./projections/projections.ts";
import type { ActType, EventType, NewEvent } from "./types/event-types.ts";

/**
 * Records an event and its projections in the caller's transaction.
 *
 * @example
 * await record(db, by, { type: "flow.archived", subject: flow, data: {} });
 */
export async function record<Type extends EventType>(
  db: Database,
  by: ActContext,
  event: NewEvent<Type>,
): Promise<void> {
  const fields = {
    org_id: by.orgId,
    type: event.type,
    at: by.now,
    by: by.accountName,
    by_id: by.accountId,
    subject_id: event.subject.id ?? null,
    subject_name: event.subject.name,
    trail_id: event.trailId ?? null,
  };
  const row = eventRow(fields, event.data);
  by.leaves?.push({ eventId: row.id, digest: row.digest });
  const projected = Object.values(PROJECTIONS).map((projection) =>
    projection[event.type]?.(db, { ...event, by }),
  );
  await together([insertEvent(db, row), ...projected]);
}

const insertEvent = prepared((db, given: Given<Omit<Tables["events"], "sequence">>) =>
  db.insertInto("events").values({
    id: given("id"),
    org_id: given("org_id"),
    type: given("type"),
    at: given("at"),
    by: given("by"),
    by_id: given("by_id"),
    subject_id: given("subject_id"),
    subject_name: given("subject_name"),
    trail_id: given("trail_id"),
    data: given("data"),
    salt: given("salt"),
    digest: given("digest"),
  }),
);

interface Change extends Pick<NewEvent<ActType>, "type" | "subject"> {
  readonly details?: State;
  /** Absent for a new subject. */
  readonly before?: State | undefined;
  readonly after: State;
}

/** Records a change; does nothing when no field differs. @returns whether one does */
export async function recordChange(
  db: Database,
  by: ActContext,
  { type, subject, details, before = NOTHING, after }: Change,
): Promise<boolean> {
  const changes = changesBetween(before, after);
  if (!isChanged(changes)) return false;
  await record(db, by, { type, subject, data: { details, changes } });
  return true;
}
