import { fieldName } from "../../api/validation.ts";
import { type FieldErrors, MAX_COUNTED_ERRORS, MAX_LISTED_ERRORS } from "./errors.ts";

/** A lone surrogate or NUL as a JSON escape. Raw bytes of either are not valid in JSON. */
const SUSPICIOUS_ESCAPE = /\\u(0000|d[89a-f])/i;

/** Whether JSON text may contain what {@link unstorableTexts} finds. Most does not, so it need not be searched. */
export function maySayUnstorable(json: string): boolean {
  return json.includes("\\u") && SUSPICIOUS_ESCAPE.test(json);
}

/** Texts that databases refuse or change: those with NUL, and malformed Unicode. */
export function unstorableTexts(value: unknown, root: readonly PropertyKey[] = []): FieldErrors {
  const errors = new Map<string, string>();
  let count = 0;
  const note = (path: readonly PropertyKey[], problem: string) => {
    if (errors.size < MAX_LISTED_ERRORS) errors.set(fieldName(path), problem);
    count++;
  };
  const search = (item: unknown, path: readonly PropertyKey[]) => {
    const problem = typeof item === "string" ? problemOf(item) : undefined;
    if (problem !== undefined) note(path, problem);
    if (typeof item !== "object" || item === null) return;
    for (const [step, inner] of Array.isArray(item) ? item.entries() : Object.entries(item)) {
      if (count > MAX_COUNTED_ERRORS) return;
      const keyProblem = typeof step === "string" ? problemOf(step) : undefined;
      if (keyProblem === undefined) search(inner, [...path, step]);
      else note([...path, step], keyProblem);
    }
  };
  search(value, root);
  return { errors: Object.fromEntries(errors), count };
}

export function isStorable(text: string): boolean {
  return problemOf(text) === undefined;
}

function problemOf(text: string): string | undefined {
  if (text.includes("\0")) return "String should not contain NUL characters";
  return text.isWellFormed() ? undefined : "String should be valid Unicode text";
}
