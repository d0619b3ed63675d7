import { Invalid } from "../../kernel/errors.ts";
import { inSlices, letOthersIn } from "../../kernel/slices.ts";
import type { PatternAnswers, PatternQuestion } from "../patterns/pattern-answers.ts";
import type { CompiledPolicy } from "./compile-policy.ts";
import type { ExpressionScope, Operand } from "./expression.ts";
import { textIn } from "./expression-evaluator.ts";

/** Maximum number of texts per request, so that it does not block others. */
const MAX_MATCHES = 1_000_000;

/** Facts to match: an artifact, its flow (if any), and the origin and the user data of a record (if known). */
export type Place = Pick<ExpressionScope, "flow" | "artifact" | "origin" | "userData">;

/**
 * Asks all pattern questions of policies at once. Duplicates count once.
 *
 * @throws UnansweredPatterns for unknown matches, Invalid above the limit
 */
export async function askPatterns(
  policies: readonly CompiledPolicy[],
  places: readonly Place[],
  answers: PatternAnswers,
): Promise<void> {
  const subjects = await distinctSubjects(places);
  const textsByInput = new Map<string, ReadonlySet<string>>();
  const questions = new Map<string, PatternQuestion>();
  for (const { input, pattern } of policies.flatMap((policy) => policy.matches)) {
    const key = JSON.stringify(input);
    const known = textsByInput.get(key);
    if (!known) await letOthersIn();
    const texts = known ?? textsOf(input, subjects);
    textsByInput.set(key, texts);
    questions.set(JSON.stringify([key, pattern]), { pattern, texts });
  }
  requireFewMatches([...questions.values()]);
  for (const { pattern, texts } of questions.values()) answers.ask(pattern, texts);
  answers.requireAll();
}

interface Subjects {
  flows: readonly Place[];
  artifacts: readonly Place[];
  origins: readonly Place[];
  userData: readonly Place[];
}

async function distinctSubjects(places: readonly Place[]): Promise<Subjects> {
  const flows = new Map<string | undefined, Place>();
  const artifacts = new Map<Place["artifact"], Place>();
  const origins = new Map<Place["origin"], Place>();
  const userData = new Map<Place["userData"], Place>();
  await inSlices(places, (slice) => {
    for (const place of slice) {
      flows.set(place.flow?.name, place);
      artifacts.set(place.artifact, place);
      if (place.origin) origins.set(place.origin, place);
      if (place.userData) userData.set(place.userData, place);
    }
    return [];
  });
  return {
    flows: [...flows.values()],
    artifacts: [...artifacts.values()],
    origins: [...origins.values()],
    userData: [...userData.values()],
  };
}

/** Each tag is looked up once for each flow, not for each artifact. */
function textsOf(input: Operand, subjects: Subjects): ReadonlySet<string> {
  return new Set(placesFor(input, subjects).flatMap((place) => textIn(input, place) ?? []));
}

function placesFor(input: Operand, { flows, artifacts, origins, userData }: Subjects): readonly Place[] {
  if (input.kind === "tag") return flows;
  if (input.kind === "claim") return origins;
  if (input.kind === "user-data") return userData;
  if (input.kind !== "context") return artifacts;
  switch (input.name) {
    case "flow.name":
      return flows;
    case "origin":
      return origins;
    case "artifact.name":
    case "artifact.fingerprint":
      return artifacts;
  }
}

function requireFewMatches(questions: readonly PatternQuestion[]): void {
  const matches = questions.reduce((sum, { texts }) => sum + texts.size, 0);
  if (matches <= MAX_MATCHES) return;
  throw new Invalid(
    "pattern.invalid",
    `${questions.length} policy patterns have ${matches} texts to match, such as artifact names; the limit is ${MAX_MATCHES}`,
  );
}
