import { HttpError } from "../http-error.ts";
import type { PatternAnswers } from "../patterns/pattern-answers.ts";
import type { CompiledPolicy } from "./compile-policy.ts";
import type { ExpressionScope } from "./expression.ts";
import { textIn } from "./expression-evaluator.ts";

/** The most patterns times artifacts that are looked at in one request: more would hold up everybody else. */
const MAX_MATCHES = 1_000_000;

/** What a pattern can be matched with: an artifact, in a flow or in none. */
type Place = Pick<ExpressionScope, "flow" | "artifact">;

/**
 * Asks at once for all that the patterns of policies may need to know, so that the policies can then be evaluated
 * without a wait.
 *
 * @throws UnansweredPatterns when something of it is not known yet, HttpError 400 when it is too much
 */
export function askPatterns(
  policies: readonly CompiledPolicy[],
  places: readonly Place[],
  answers: PatternAnswers,
): void {
  const matches = policies.flatMap((policy) => policy.matches);
  if (matches.length * places.length > MAX_MATCHES) {
    throw new HttpError(
      400,
      `${matches.length} patterns of policies for ${places.length} artifacts are too many: their product may be up to ${MAX_MATCHES}`,
    );
  }
  const textsByInput = new Map<string, ReadonlySet<string>>();
  for (const { input, pattern } of matches) {
    const key = JSON.stringify(input);
    const texts = textsByInput.get(key) ?? new Set(places.flatMap((place) => textIn(input, place) ?? []));
    textsByInput.set(key, texts);
    answers.ask(pattern, texts);
  }
  answers.requireAll();
}
