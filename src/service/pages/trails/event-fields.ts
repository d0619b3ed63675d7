/** What happened to a trail, as `getTrail` answers it: the fields go by the type of the event. */
export type TrailEvent = Readonly<Record<string, unknown>>;

/** A text of an event; empty where there is none. */
export function textIn(event: TrailEvent, name: string): string {
  const value = event[name];
  return typeof value === "string" ? value : "";
}

export function numberIn(event: TrailEvent, name: string): number | undefined {
  const value = event[name];
  return typeof value === "number" ? value : undefined;
}

/** The fields within a field; none where there are none. */
export function fieldOf(event: TrailEvent, name: string): TrailEvent {
  return { ...Object(event[name]) };
}
