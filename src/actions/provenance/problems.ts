import type { InputProblem } from "../../api/client/errors.ts";
import { parseWorkflow } from "../../evidence/provenance/signer.ts";
import type { ProvenanceValues } from "./inputs.ts";

const REPOSITORY = /^[\w.-]+\/[\w.-]+$/;

/** Problems of {@link provenanceInputs}, alone and together. */
export function provenanceProblems(
  { sourceRepository, sourceRepositoryId, signerRepository, signerWorkflow }: ProvenanceValues,
  given: ReadonlySet<string>,
): InputProblem[] {
  const problems: InputProblem[] = [];
  const repositories = { "source-repository": sourceRepository, "signer-repository": signerRepository };
  for (const [input, value] of Object.entries(repositories)) {
    if (value !== undefined && !REPOSITORY.test(value))
      problems.push({ input, problem: `must be owner/name, not '${value}'` });
  }
  if (sourceRepositoryId !== undefined && !/^[1-9]\d*$/.test(sourceRepositoryId)) {
    const problem = `must be GitHub's id of the repository, a whole number, not '${sourceRepositoryId}'`;
    problems.push({ input: "source-repository-id", problem });
  }
  if (signerWorkflow !== undefined && parseWorkflow(signerWorkflow) === undefined) {
    const form = "owner/name/.github/workflows/file.yml, with @ref or without";
    problems.push({ input: "signer-workflow", problem: `must be ${form}, not '${signerWorkflow}'` });
  }
  if (given.has("signer-workflow") && given.has("signer-repository")) {
    const problem = "cannot be used with signer-workflow, which names its repository: set one of them";
    problems.push({ input: "signer-repository", problem });
  }
  return problems;
}
