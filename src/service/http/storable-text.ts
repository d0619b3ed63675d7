import { fieldName } from "../../api/validation.ts";

/** Half a character of two, or NUL, in the escapes of JSON; as bytes JSON cannot hold either. */
const SUSPICIOUS_ESCAPE = /\\u(0000|d[89a-f])/i;

/** Whether JSON text may hold what {@link unstorableTexts} finds: most does not, and need not be searched. */
export function maySayUnstorable(json: string): boolean {
  return SUSPICIOUS_ESCAPE.test(json);
}

/**
 * The texts within a value that databases refuse or change, by field: those with a NUL, and those that are not
 * Unicode. They are refused when they arrive, so that what is kept is what was sent.
 */
export function unstorableTexts(value: unknown, path: readonly PropertyKey[] = []): Record<string, string> {
  if (typeof value === "string") {
    const problem = problemOf(value);
    return problem === undefined ? {} : { [fieldName(path)]: problem };
  }
  if (typeof value !== "object" || value === null) return {};
  const found = new Map<string, string>();
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [step, item] of entries) {
    const keyProblem = typeof step === "string" ? problemOf(step) : undefined;
    if (keyProblem !== undefined) found.set(fieldName([...path, step]), keyProblem);
    else
      for (const [field, text] of Object.entries(unstorableTexts(item, [...path, step])))
        found.set(field, text);
  }
  return Object.fromEntries(found);
}

/** Whether a text can be kept, and so looked for. */
export function isStorable(text: string): boolean {
  return problemOf(text) === undefined;
}

function problemOf(text: string): string | undefined {
  if (text.includes("\0")) return "String should not contain NUL characters";
  return text.isWellFormed() ? undefined : "String should be valid Unicode text";
}
