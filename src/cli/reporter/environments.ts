import { basename, dirname, resolve } from "node:path";
import { readConfig } from "../../actions/report-env/config.ts";
import { targetInputs } from "../../actions/report-env/target.ts";
import { InputError, type InputProblem } from "../../api/client/errors.ts";
import { readInputs } from "../../github/step/inputs.ts";
import { type NamespaceSelection, selectNamespaces } from "../../kubernetes/select.ts";

/** An environment and the pods that run in it. */
export interface Environment {
  readonly name: string;
  readonly selection: NamespaceSelection;
  /** Whether it is reported although no pod was ever seen. */
  readonly allowEmpty: boolean;
  /** Whether it is created if it does not exist. */
  readonly create: boolean;
}

/** Fields of `report-env` for other readers than the API server of the own cluster. */
const OTHERS = ["kubeconfig", "context", "podsFile"] as const;

/**
 * Reads the environments from a file, as `report-env` does.
 *
 * @throws {InputError} with all problems of all entries
 */
export async function readEnvironments(file: string): Promise<Environment[]> {
  const path = resolve(file);
  const defaults = readInputs(targetInputs, {}, {}).values;
  const targets = await readConfig({ path: basename(path), workspace: dirname(path), defaults });
  const problems: InputProblem[] = [];
  const environments = targets.map((target): Environment => {
    const input = `config (${target.environment})`;
    const problem = "the reporter reads only the pods of its own cluster";
    if (target.type !== "K8S") problems.push({ input, problem: `type: ${problem}` });
    for (const name of OTHERS.filter((each) => target[each] !== undefined))
      problems.push({ input, problem: `${name === "podsFile" ? "pods-file" : name}: ${problem}` });
    return {
      name: target.environment,
      selection: selectionOf(target, input, problems),
      allowEmpty: target.allowEmpty,
      create: target.createEnvironment,
    };
  });
  if (problems.length > 0) throw new InputError(problems);
  return environments;
}

function selectionOf(
  target: Parameters<typeof selectNamespaces>[0],
  input: string,
  problems: InputProblem[],
): NamespaceSelection {
  try {
    return selectNamespaces(target);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problems.push(...error.problems.map((each) => ({ input, problem: `${each.input}: ${each.problem}` })));
    return { includes: () => false, exactly: [], missingFrom: () => [] };
  }
}

/** The namespaces to watch; undefined for the whole cluster, if any environment may need it. */
export function namespacesOf(environments: readonly Environment[]): readonly string[] | undefined {
  const named = environments.map(({ selection }) => selection.exactly);
  if (named.includes(undefined)) return undefined;
  return [...new Set(named.flatMap((names) => names ?? []))].sort();
}
