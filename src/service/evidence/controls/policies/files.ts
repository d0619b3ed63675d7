import { type PolicyFiles, policyFileProblems } from "../../../../evidence/rego/policy-files.ts";
import { isOfEveryInput, PolicyFault } from "../../../../evidence/rego/verdict.ts";
import type { PolicyEngine } from "../../../judging/policy-engine.ts";
import { invalidInput } from "../../../kernel/errors.ts";

const LONGEST_PATH = 100;

const CODE = "decision_policy.files_invalid";

/** @param field name of the field with the files @throws Invalid if they cannot be a policy */
export function requireFiles(files: PolicyFiles, field: string): void {
  const problems = policyFileProblems(files).map(({ path, problem }) => [fieldOf(field, path), problem]);
  if (problems.length > 0) throw invalidInput(Object.fromEntries(problems), { code: CODE });
}

/**
 * Has opa compile the files.
 *
 * @param field name of the field with the files
 * @throws Invalid with the lines of the errors, or Busy if too many evaluations of the organization wait
 */
export async function requireCompiled(
  files: PolicyFiles,
  field: string,
  { engine, orgId }: { engine: PolicyEngine; orgId: string },
): Promise<void> {
  const call = { files, params: {}, at: 0, inputs: ["{}"] };
  try {
    await engine.evaluate(orgId, async () => call);
  } catch (error) {
    if (!(error instanceof PolicyFault)) throw error;
    // Other faults may be those of the empty input.
    if (error.kind !== "policy" || !isOfEveryInput(error)) return;
    const byField = Map.groupBy(error.problems, ({ file = "" }) => fieldOf(field, file));
    const errors = [...byField].map(([name, problems]) => [
      name,
      problems
        .map(({ line, message }) => (line === undefined ? message : `line ${line}: ${message}`))
        .join("; "),
    ]);
    throw invalidInput(Object.fromEntries(errors), { code: CODE });
  }
}

function fieldOf(field: string, path: string): string {
  return path === "" ? field : `${field}.${path.slice(0, LONGEST_PATH)}`;
}
