import { Invalid, type Refusal } from "../../kernel/errors.ts";
import { PatternAnswers, UnansweredPatterns } from "./pattern-answers.ts";
import { PatternError } from "./pattern-error.ts";
import type { PatternMatcher } from "./pattern-matcher.ts";

interface PatternOwner {
  patterns: PatternMatcher;
  orgId: string;
  refuse?: (error: PatternError) => Refusal;
}

/**
 * Runs work that needs pattern matches. Matching happens outside the transaction: if a match is unknown, the work is
 * rolled back, and repeated with the result.
 *
 * @throws Invalid for an invalid pattern
 */
export async function withPatterns<T>(
  { patterns, orgId, refuse = ({ message }) => new Invalid("pattern.invalid", message) }: PatternOwner,
  work: (answers: PatternAnswers) => Promise<T>,
): Promise<T> {
  const answers = new PatternAnswers();
  for (;;) {
    try {
      return await work(answers);
    } catch (error) {
      if (!(error instanceof UnansweredPatterns)) throw error;
    }
    try {
      await patterns.answer(orgId, answers);
    } catch (error) {
      throw error instanceof PatternError ? refuse(error) : error;
    }
  }
}
