import { Invalid, type Refusal } from "../../kernel/errors.ts";
import { PatternAnswers, UnansweredPatterns } from "./pattern-answers.ts";
import { PatternError } from "./pattern-error.ts";
import type { PatternMatcher } from "./pattern-matcher.ts";

interface PatternOwner {
  patterns: PatternMatcher;
  orgId: string;
  /** How a pattern that cannot be used is refused. */
  refuse?: (error: PatternError) => Refusal;
}

/**
 * Runs work that needs to know in which texts patterns are found. Patterns are matched in other threads, and no
 * transaction is kept open for as long as that takes: so work that asks something new is undone, and done again when the
 * answers are there.
 *
 * @throws Invalid for a pattern that cannot be used
 */
export async function withPatterns<T>(
  { patterns, orgId, refuse = ({ message }) => new Invalid(message) }: PatternOwner,
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
