import type * as z from "zod/mini";
import type { ActContext } from "../../kernel/caller.ts";
import type { Database } from "../../store/tables.ts";
import type { Act } from "./act.ts";
import { deliveryEvents } from "./delivery.ts";
import { type EvidenceSeen, evidenceEvents } from "./evidence.ts";
import { type PeopleSeen, peopleEvents } from "./people.ts";
import { type RuntimeSeen, runtimeEvents } from "./runtime.ts";
import { standardEvents } from "./standards.ts";

/** All events. A type begins with the kind of its subject. The audit log lists acts under the same type. */
export const EVENT_TYPES = {
  ...evidenceEvents,
  ...standardEvents,
  ...runtimeEvents,
  ...peopleEvents,
  ...deliveryEvents,
};

export type EventType = keyof typeof EVENT_TYPES;
export type EventData<Type extends EventType> = z.infer<(typeof EVENT_TYPES)[Type]>;

/** Data that projections would otherwise read again. It is not stored. */
type SeenByType = EvidenceSeen & RuntimeSeen & PeopleSeen;

/** Types with act data that no other projection takes. */
export type ActType = {
  [Type in EventType]: Act extends EventData<Type> ? Type : never;
}[Exclude<EventType, keyof SeenByType>];

interface Subject {
  readonly id: string;
  /** Its name before the event. */
  readonly name: string;
}

/** A subject of an act may have only a name. */
export type SubjectOfAct = Omit<Subject, "id"> & { readonly id?: string | null };

interface Fields<Type extends EventType> {
  readonly type: Type;
  readonly subject: Type extends ActType ? SubjectOfAct : Subject;
  /** The trail that lists the event. */
  readonly trailId?: string | null | undefined;
  readonly data: EventData<Type>;
}

export type NewEvent<Type extends EventType> = Fields<Type> &
  (Type extends keyof SeenByType ? { readonly seen: SeenByType[Type] } : unknown);

export type RecordedEvent<Type extends EventType> = NewEvent<Type> & { readonly by: ActContext };

/** Writes caused by events, in the same transaction, by event type. */
export type Projection = {
  readonly [Type in EventType]?: (db: Database, event: RecordedEvent<Type>) => Promise<unknown>;
};
