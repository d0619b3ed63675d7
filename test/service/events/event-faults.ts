import { EVENT_TYPES, type EventType } from "../../../src/service/events/types/event-types.ts";
import type { Database } from "../../../src/service/store/tables.ts";

/** Differences between the data of recorded events and the schemas of their types. */
export async function eventFaults(db: Database): Promise<string[]> {
  const events = await db.selectFrom("events").select(["type", "data"]).execute();
  return events.flatMap(({ type, data }) => {
    const { error } = EVENT_TYPES[type as EventType].safeParse(JSON.parse(data));
    return error ? `${type} ${data}: ${error.message}` : [];
  });
}
