import type { AuditLogEntry } from "../../api/resources/audit-log.ts";

/** Changed values by field name of the interface. */
export type Changes = AuditLogEntry["changes"];

export type State = Readonly<Record<string, unknown>>;

/** The state before creation: every field counts as null. */
export const NOTHING: State = {};

/** The fields in which two states differ. A missing field counts as null. */
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
