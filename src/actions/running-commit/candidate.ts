import { InputError } from "../../api/client/errors.ts";
import { asCommitSha } from "../../github/api/commit-facts.ts";
import { commitOf } from "../../github/event/commit.ts";
import type { Runner } from "../../github/step/runner.ts";

/**
 * The given commit, or else the workflow's own.
 *
 * @throws {InputError} unless it is a full commit SHA: a branch may move between the check and the approval
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
