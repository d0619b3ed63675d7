import { InputError } from "../../api/errors.ts";
import { commitOf } from "../../github/commit.ts";
import { asCommitSha } from "../../github/commit-facts.ts";
import type { Runner } from "../../github/runner.ts";

/**
 * The commit that may come: the one given, else the one the workflow runs for.
 *
 * @throws {InputError} for what is not a full commit SHA: a branch may move between the question and the approval
 */
export function candidateOf(runner: Runner, given: string | undefined): string {
  const sha = given === undefined ? commitOf(runner) : asCommitSha(given);
  if (sha !== undefined) return sha;
  const problem =
    given === undefined
      ? "is required here: the event names no commit"
      : `must be a full commit SHA of 40 hexadecimal digits, not '${given}'`;
  throw new InputError([{ input: "candidate", problem }]);
}
