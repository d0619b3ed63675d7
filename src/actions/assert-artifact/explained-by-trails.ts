import { type Failure, failuresOf } from "../../api/resources/assert-failures.ts";
import type { Assertion } from "../../api/resources/asserts.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { trailReader } from "../trail-template.ts";
import { recordedInstead } from "./recorded-instead.ts";
import { unexpectedIn } from "./unexpected.ts";

/** The failures of the gate, with details from the trails. Each trail is read once. */
export async function explainedByTrails(
  assertion: Assertion,
  { allowUnexpected }: { readonly allowUnexpected: boolean },
  context: ActionContext,
): Promise<Failure[]> {
  const readTrail = trailReader(context);
  // An allowlist entry names this exact artifact, so it counts as expected.
  const mayBeUnexpected = allowUnexpected || Boolean(assertion.allowListing);
  const unexpected = mayBeUnexpected ? [] : await unexpectedIn(assertion, readTrail, context);
  const failures = failuresOf(assertion);
  if (!failures.some(({ reason }) => reason === "missing")) return [...unexpected, ...failures];
  const insteadOf = await recordedInstead(assertion, readTrail);
  return [...unexpected, ...failuresOf(assertion, insteadOf)];
}
