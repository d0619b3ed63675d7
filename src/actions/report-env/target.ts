import type { InputProblem } from "../../api/client/errors.ts";
import { choice, flag, lines, list, text, type ValuesOf } from "../../github/step/input.ts";

/** Inputs of the step, and fields of an entry of a config file. */
export const targetInputs = {
  type: choice({
    choices: ["K8S", "docker", "server"] as const,
    default: "K8S",
    description:
      "Type of the environment: the pods of a Kubernetes cluster, the running containers of a Docker engine, or files and directories of a server.",
  }),
  kubeconfig: text({ description: "Path of a kubeconfig file. Default: kubectl's default." }),
  context: text({ description: "Kubeconfig context. Default: the current context." }),
  namespaces: list({ description: "Namespaces to report. Default: all." }),
  "namespaces-regex": list({
    description: "Regular expressions for the namespaces to report.",
  }),
  "exclude-namespaces": list({ description: "Namespaces to exclude." }),
  "exclude-namespaces-regex": list({ description: "Regular expressions for the namespaces to exclude." }),
  "pods-file": text({
    description:
      "File with the output of `kubectl get pods --all-namespaces -o json`, read instead of the cluster.",
  }),
  paths: lines({
    description:
      "Paths and globs to report, one per line, as `path` or `name=path`. Required for `server`. Each file or directory is one artifact. Its default name is its absolute path. `!path` excludes a path.",
  }),
  exclude: lines({
    description: "Globs to leave out of each directory, one per line, relative to it. For `server`.",
  }),
  "allow-empty": flag({
    default: "false",
    description:
      "Whether to accept that nothing runs, or that one of `paths` does not exist. Otherwise the step fails.",
  }),
  "create-environment": flag({
    default: "false",
    description: "Whether to create the environment if it does not exist.",
  }),
};

export type TargetValues = ValuesOf<typeof targetInputs>;
export type EnvironmentType = TargetValues["type"];

export interface Target extends TargetValues {
  readonly environment: string;
}

/** Inputs that only one type uses. */
const USED_BY: Readonly<Record<string, EnvironmentType>> = {
  kubeconfig: "K8S",
  context: "K8S",
  namespaces: "K8S",
  "namespaces-regex": "K8S",
  "exclude-namespaces": "K8S",
  "exclude-namespaces-regex": "K8S",
  "pods-file": "K8S",
  paths: "server",
  exclude: "server",
};

/** Inputs that exclude or require each other. */
export function targetProblems(
  { type, paths }: Pick<TargetValues, "type" | "paths">,
  given: ReadonlySet<string>,
): InputProblem[] {
  const problems: InputProblem[] = Object.entries(USED_BY)
    .filter(([input, user]) => given.has(input) && user !== type)
    .map(([input]) => ({ input, problem: `is not used by type: ${type}` }));
  if (type === "server" && paths.length === 0)
    problems.push({ input: "paths", problem: "is required for type: server", missing: true });
  if (type === "K8S" && given.has("pods-file")) {
    for (const input of ["kubeconfig", "context"].filter((each) => given.has(each)))
      problems.push({ input, problem: "is not used with pods-file" });
  }
  return problems;
}
