import { type PolicyFiles, policyFileProblems } from "../../../../evidence/rego/policy-files.ts";
import { invalidInput } from "../../../kernel/errors.ts";

const LONGEST_PATH = 100;

/** @param field name of the field with the files @throws Invalid if they cannot be a policy */
export function requireFiles(files: PolicyFiles, field: string): void {
  const problems = policyFileProblems(files).map(({ path, problem }) => [
    path === "" ? field : `${field}.${path.slice(0, LONGEST_PATH)}`,
    problem,
  ]);
  if (problems.length === 0) return;
  throw invalidInput(Object.fromEntries(problems), { code: "decision_policy.files_invalid" });
}
