/** Longer texts are cut off: the log says what was changed, not all of it. */
const MAX_CHARACTERS = 1_000;
/** Of a longer list, or of an object with more fields, the log has the first. */
const MAX_ITEMS = 100;

/** A value of JSON as the audit log has it: what is too long is cut off, and says so. */
export function shortened(value: unknown): unknown {
  if (typeof value === "string") return shortText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map(shortened);
    return value.length > MAX_ITEMS ? [...items, moreThan(value.length)] : items;
  }
  const entries = Object.entries(value);
  const fields = entries.slice(0, MAX_ITEMS).map(([field, item]) => [field, shortened(item)]);
  return Object.fromEntries(
    entries.length > MAX_ITEMS ? [...fields, ["…", moreThan(entries.length)]] : fields,
  );
}

function moreThan(count: number): string {
  return `… and ${count - MAX_ITEMS} more`;
}

function shortText(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text;
  // Databases refuse half of a character that takes two.
  return `${text.slice(0, MAX_CHARACTERS).toWellFormed()}…`;
}
