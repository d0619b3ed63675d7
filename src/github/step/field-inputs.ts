import { ApiError, InputError } from "../../api/client/errors.ts";
import { withoutPattern } from "../../api/pattern-words.ts";

/**
 * The inputs that fields of a request come from, by the names of the fields: `attestation_name` comes from `name`. A
 * field within another has its whole path: `targets[0].webhook`. What the user writes within an input by the names of
 * the interface is `within` it.
 */
export type FieldInputs = Readonly<Record<string, string | { readonly within: string }>>;

/** A fault of a request by the inputs that its user knows; any other error as it is. */
export function byInputs(error: unknown, fields: FieldInputs): unknown {
  if (error instanceof InputError) {
    const problems = error.problems.map(({ input: field, problem, ...more }) => {
      const { input, part } = originOf(field, fields);
      return { ...more, input, problem: part === undefined ? problem : `${part} ${problem}` };
    });
    return new InputError(problems, { advice: error.advice, cause: error });
  }
  if (!(error instanceof ApiError) || Object.keys(error.fieldErrors).length === 0) return error;
  const details = Object.entries(error.fieldErrors).map(([field, text]) => {
    const { input, part } = originOf(field, fields);
    return [input, part, withoutPattern(text)].filter((word) => word !== undefined).join(": ");
  });
  return error.explained({ details });
}

/** `external_urls.docs` is the part `docs` of the input `external-urls`. */
function originOf(field: string, fields: FieldInputs): { input: string; part?: string } {
  const holders = Object.keys(fields).filter((name) => isWithin(field, name));
  const [holder = ""] = holders.sort((a, b) => b.length - a.length);
  const input = fields[holder];
  if (input === undefined) return { input: field };
  if (typeof input === "object") return { input: input.within, part: `'${field}'` };
  const rest = field.slice(holder.length).replace(/^\./, "");
  if (rest === "") return { input };
  const item = /^\[(\d+)\]$/.exec(rest)?.[1];
  if (item !== undefined) return { input, part: `item ${Number(item) + 1}` };
  return { input, part: `'${holder.replaceAll("_", "-") === input ? rest : field}'` };
}

function isWithin(field: string, holder: string): boolean {
  return field.startsWith(holder) && /^(?:[.[]|$)/.test(field.slice(holder.length));
}
