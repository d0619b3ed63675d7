import type { Origin } from "../origin.ts";

/** Adds facts to the user's data. The user's fields win, and a list stays unchanged. */
export function withFacts<Fields extends Pick<Origin, "userData">>(
  fields: Fields,
  facts: Readonly<Record<string, unknown>>,
): Fields {
  const { userData } = fields;
  if (Array.isArray(userData) || Object.keys(facts).length === 0) return fields;
  // Twice: first for the order, last for the values.
  return { ...fields, userData: { ...userData, ...facts, ...userData } };
}
