import type { InputProblem } from "../../api/client/errors.ts";
import { choice, flag, lines, list, text, type ValuesOf } from "../../github/step/input.ts";

/** Inputs of the step, and fields of an entry of a config file. */
export const targetInputs = {
  type: choice({
    choices: ["K8S", "docker", "server"] as const,
    default: "K8S",
    description:
      "What is reported: the pods of a Kubernetes cluster, the containers that run in a Docker engine, or files and directories of a server.",
  }),
  kubeconfig: text({ description: "The path of a kubeconfig file; kubectl's own choice unless given." }),
  context: text({ description: "The kubeconfig context; the current one unless given." }),
  namespaces: list({ description: "Report these namespaces alone." }),
  "namespaces-regex": list({
    description: "Report the namespaces that match one of these regular expressions.",
  }),
  "exclude-namespaces": list({ description: "Report all but these namespaces." }),
  "exclude-namespaces-regex": list({ description: "Report all but the namespaces that match one of these." }),
  "pods-file": text({
    description:
      "A file with the output of `kubectl get pods --all-namespaces -o json`, in place of asking the cluster.",
  }),
  paths: lines({
    description:
      "For `server`, where it is required: `path` or `name=path`, one a line; globs too. Each file or directory is one artifact, called by its absolute path unless named. `!path` takes back.",
  }),
  exclude: lines({
    description: "For `server`: globs of what to leave out of each directory, one a line, relative to it.",
  }),
  "allow-empty": flag({
    default: "false",
    description: "Accept that nothing runs, or that one of `paths` is not there. Otherwise that is an error.",
  }),
  "create-environment": flag({
    default: "false",
    description: "Create the environment if it does not exist.",
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
