import { type Failure, failuresOf } from "../../api/resources/assert-failures.ts";
import type { Assertion } from "../../api/resources/asserts.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { trailReader } from "../trail-template.ts";
import { recordedInstead } from "./recorded-instead.ts";
import { unexpectedIn } from "./unexpected.ts";

/** Why the gate stays shut, with what only the trails can tell of it. Each is read once. */
export async function explainedByTrails(
  assertion: Assertion,
  { allowUnexpected }: { readonly allowUnexpected: boolean },
  context: ActionContext,
): Promise<Failure[]> {
  const readTrail = trailReader(context);
  // Who puts an artifact on the allowlist of an environment has named this very one.
  const mayBeUnexpected = allowUnexpected || Boolean(assertion.allowListing);
  const unexpected = mayBeUnexpected ? [] : await unexpectedIn(assertion, readTrail, context);
  const failures = failuresOf(assertion);
  if (!failures.some(({ reason }) => reason === "missing")) return [...unexpected, ...failures];
  const insteadOf = await recordedInstead(assertion, readTrail);
  return [...unexpected, ...failuresOf(assertion, insteadOf)];
}
