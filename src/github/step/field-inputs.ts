import { ApiError, InputError } from "../../api/client/errors.ts";
import { withoutPattern } from "../../api/pattern-words.ts";

/**
 * Inputs by request field: `attestation_name` comes from `name`. A nested field has its whole path:
 * `targets[0].webhook`. Fields that the user writes inside an input, with the interface's names, are `within` it.
 */
export type FieldInputs = Readonly<Record<string, string | { readonly within: string }>>;

/** Rewrites a request's fault to name the user's inputs; returns any other error unchanged. */
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
  const prefixes = Object.keys(fields).filter((name) => isWithin(field, name));
  const [prefix = ""] = prefixes.sort((a, b) => b.length - a.length);
  const input = fields[prefix];
  if (input === undefined) return { input: field };
  if (typeof input === "object") return { input: input.within, part: `'${field}'` };
  const rest = field.slice(prefix.length).replace(/^\./, "");
  if (rest === "") return { input };
  const item = /^\[(\d+)\]$/.exec(rest)?.[1];
  if (item !== undefined) return { input, part: `item ${Number(item) + 1}` };
  return { input, part: `'${prefix.replaceAll("_", "-") === input ? rest : field}'` };
}

function isWithin(field: string, prefix: string): boolean {
  return field.startsWith(prefix) && /^(?:[.[]|$)/.test(field.slice(prefix.length));
}
