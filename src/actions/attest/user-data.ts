import type { Origin } from "../origin.ts";

/**
 * Adds facts to the user's data. Nothing of the user's is overwritten: a field of theirs stays what it is, and data
 * that is a list has no place for facts.
 */
export function withFacts<Fields extends Pick<Origin, "userData">>(
  fields: Fields,
  facts: Readonly<Record<string, unknown>>,
): Fields {
  const { userData } = fields;
  if (Array.isArray(userData) || Object.keys(facts).length === 0) return fields;
  // The user's fields come first, so that they are read first, and last, so that they win.
  return { ...fields, userData: { ...userData, ...facts, ...userData } };
}
