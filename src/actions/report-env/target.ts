import type { InputProblem } from "../../api/errors.ts";
import { flag, list, text, type ValuesOf } from "../../github/input.ts";

/** What is reported of one environment: the inputs of the step, and the fields of an entry of a config file. */
export const targetInputs = {
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
  "allow-empty": flag({
    default: "false",
    description: "Accept that no pods run. Otherwise that is an error.",
  }),
  "create-environment": flag({
    default: "false",
    description: "Create the environment if it does not exist.",
  }),
};

export type TargetValues = ValuesOf<typeof targetInputs>;

/** An environment and where its pods are read. */
export interface Target extends TargetValues {
  readonly environment: string;
}

/** What nobody can use together. */
export function targetProblems(given: ReadonlySet<string>): InputProblem[] {
  if (!given.has("pods-file")) return [];
  return ["kubeconfig", "context"]
    .filter((input) => given.has(input))
    .map((input) => ({ input, problem: "is not used with pods-file" }));
}
