import { InputError, type InputProblem } from "../../api/client/errors.ts";
import { isObject } from "../../api/untyped.ts";
import { readTextFile } from "../../evidence/file-to-send.ts";
import { parseStructured } from "../../evidence/structured-data.ts";
import { required } from "../../github/step/input.ts";
import { readInputs } from "../../github/step/inputs.ts";
import { entriesOf, inEntries, inherited, unknownField } from "../listed-entries.ts";
import { type Target, type TargetValues, targetInputs, targetProblems } from "./target.ts";

const INPUT = "config";
const entryInputs = { environment: required({ description: "The environment." }), ...targetInputs };
const TAKEN = Object.keys(targetInputs);
/** Inputs that select: an entry that sets one of a group inherits none of it. */
const SELECTIONS = [/namespaces/, /services/, /^(in|ex)clude(-regex)?$/].map(
  (group) => new Set(TAKEN.filter((name) => group.test(name))),
);

interface ConfigRequest {
  /** Relative to the workspace, and inside it. */
  readonly path: string;
  readonly workspace: string;
  /** Values for entries that do not set their own. */
  readonly defaults: TargetValues;
}

/**
 * Reads the environments to report from a YAML or JSON file.
 *
 * @throws {InputError} with all problems of all entries
 */
export async function readConfig({ path, workspace, defaults }: ConfigRequest): Promise<Target[]> {
  const content = await readTextFile(path, { input: INPUT, workspace });
  const data = await parseStructured(content, { input: INPUT, path, textsOnly: true });
  const file = { input: INPUT, path, what: "environments" };
  const entries = entriesOf(data, file).map((entry) => readEntry(entry, defaults));
  const targets = entries.map(({ target }) => target);
  const found = entries.map(({ target, problems }, index) => ({ index, name: target.environment, problems }));
  const problems = [...(await inEntries(found, { ...file, text: content, data })), ...repetitions(targets)];
  if (problems.length > 0) throw new InputError(problems);
  return targets;
}

/** Completes an entry with the step's inputs. */
function readEntry(entry: unknown, defaults: TargetValues): { target: Target; problems: InputProblem[] } {
  const problems: InputProblem[] = [];
  const texts: Record<string, string> = {};
  if (!isObject(entry)) problems.push({ input: "it", problem: "must be a mapping" });
  for (const [name, value] of Object.entries(isObject(entry) ? entry : {})) {
    const text = textOf(value);
    if (!(name in entryInputs))
      problems.push({ input: `'${name}'`, problem: unknownField(name, Object.keys(entryInputs)) });
    else if (text === undefined)
      problems.push({ input: name, problem: "must be text or a list of text values" });
    else if (text !== "") texts[name] = text;
  }
  const { values, problems: unreadable } = readInputs(entryInputs, texts, {});
  const named = new Set(Object.keys(texts));
  const target = { ...values, ...inherited(defaults, { names: TAKEN, own: named, together: SELECTIONS }) };
  return {
    target,
    problems: [...problems, ...(isObject(entry) ? unreadable : []), ...targetProblems(target, named)],
  };
}

/** Each report replaces the one before, so a repeated environment would seem to change back and forth. */
function repetitions(targets: readonly Target[]): InputProblem[] {
  const names = targets.map(({ environment }) => environment).filter(Boolean);
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return [...twice].map((name) => ({
    input: INPUT,
    problem: `lists '${name}' twice: each environment may have one entry`,
  }));
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim();
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) return undefined;
  return value.join("\n").trim();
}
