import { InputError, type InputProblem } from "../api/client/errors.ts";
import { nearest } from "../api/nearest.ts";
import { isObject } from "../api/untyped.ts";
import { inputKey } from "../github/step/inputs.ts";

/** A longer list is treated as a mistake. */
const MAX_ENTRIES = 200;

/**
 * The entries of a file: a list, or the value of its one key `what`.
 *
 * @throws {InputError} for anything else
 */
export function entriesOf(data: unknown, file: { input: string; path: string; what: string }): unknown[] {
  const { input, path, what } = file;
  const list = isObject(data) && Object.keys(data).join() === what ? data[what] : data;
  if (Array.isArray(list) && list.length > 0 && list.length <= MAX_ENTRIES) return list;
  const problem = `'${path}' must list 1 to ${MAX_ENTRIES} ${what}, at the top level or under '${what}:'`;
  throw new InputError([{ input, problem, place: { file: path } }]);
}

/** Problems of one entry; each problem's `input` is the field. */
export interface EntryProblems {
  readonly index: number;
  readonly name: string;
  readonly problems: readonly InputProblem[];
}

/** The problems of all entries with their lines. The file is parsed again for those. */
export async function inEntries(
  entries: readonly EntryProblems[],
  file: { input: string; path: string; what: string; text: string; data: unknown },
): Promise<InputProblem[]> {
  if (entries.every(({ problems }) => problems.length === 0)) return [];
  const { linesOf } = await import("../evidence/yaml-lines.ts");
  const lineOf = await linesOf(file.text);
  const base = Array.isArray(file.data) ? [] : [file.what];
  return entries.flatMap(({ index, name, problems }) => {
    const where = `${file.input}, entry ${index + 1}${name === "" ? "" : ` (${name})`}`;
    return problems.map(({ input: field, problem, missing }) => {
      const line = lineOf([...base, index, field.replace(/^'|'$/g, "")]);
      return {
        input: line === undefined ? where : `${where}, line ${line}`,
        problem: `${field} ${problem}`,
        ...(missing && { missing }),
        place: { file: file.path, ...(line !== undefined && { line }) },
      };
    });
  });
}

/** An unknown field, with the closest known one. */
export function unknownField(name: string, known: readonly string[]): string {
  const [best] = nearest(name, known);
  return `is not a known field${best === undefined ? "" : `; did you mean '${best}'?`}`;
}

/**
 * The values that an entry inherits from the step.
 *
 * @param names the inputs that may be inherited
 * @param together groups of inputs: an entry that sets one of a group inherits none of it
 */
export function inherited<Values extends object>(
  defaults: Values,
  {
    names,
    own,
    together,
  }: { names: readonly string[]; own: ReadonlySet<string>; together: readonly ReadonlySet<string>[] },
): Partial<Values> {
  const touched = together.filter((group) => [...group].some((name) => own.has(name)));
  const set = new Set([...own, ...touched.flatMap((group) => [...group])]);
  const keys = new Set(names.filter((name) => !set.has(name)).map(inputKey));
  return Object.fromEntries(Object.entries(defaults).filter(([key]) => keys.has(key))) as Partial<Values>;
}
