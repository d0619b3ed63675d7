import type { InputProblem } from "../../api/errors.ts";
import { parseWorkflow } from "../../evidence/provenance/signer.ts";
import type { ProvenanceValues } from "./inputs.ts";

const REPOSITORY = /^[\w.-]+\/[\w.-]+$/;

/** What is wrong with the inputs of {@link provenanceInputs}, alone and together. */
export function provenanceProblems(
  { sourceRepository, signerRepository, signerWorkflow }: ProvenanceValues,
  given: ReadonlySet<string>,
): InputProblem[] {
  const problems: InputProblem[] = [];
  const repositories = { "source-repository": sourceRepository, "signer-repository": signerRepository };
  for (const [input, value] of Object.entries(repositories)) {
    if (value !== undefined && !REPOSITORY.test(value))
      problems.push({ input, problem: `must be owner/name, not '${value}'` });
  }
  if (signerWorkflow !== undefined && parseWorkflow(signerWorkflow) === undefined) {
    const form = "owner/name/.github/workflows/file.yml, with @ref or without";
    problems.push({ input: "signer-workflow", problem: `must be ${form}, not '${signerWorkflow}'` });
  }
  if (given.has("signer-workflow") && given.has("signer-repository")) {
    const problem = "excludes signer-workflow, which names its repository: give one of them";
    problems.push({ input: "signer-repository", problem });
  }
  return problems;
}
