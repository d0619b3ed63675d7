import type { AuditLogEntry } from "../../api/resources/audit-log.ts";

/** What was changed, by the name of the field on the wire. */
export type Changes = AuditLogEntry["changes"];

/** What is known of something by field, as it is written down. */
export type State = Readonly<Record<string, unknown>>;

/** What something that did not exist is known by: each of its fields was nothing before. */
export const NOTHING: State = {};

/** The fields in which two states differ. A field that a state does not have is null there. */
export function changesBetween(before: State, after: State): Changes {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changes = [...fields].map((field) => {
    const [from, to] = [before[field] ?? null, after[field] ?? null];
    return { field, from, to };
  });
  const changed = changes.filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to));
  return Object.fromEntries(changed.map(({ field, from, to }) => [field, { from, to }]));
}

export function isChanged(changes: Changes): boolean {
  return Object.keys(changes).length > 0;
}
