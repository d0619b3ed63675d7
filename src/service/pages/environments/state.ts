import { html } from "hono/html";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import { time } from "../parts/time.ts";
import { complianceVerdict } from "../parts/verdict.ts";
import type { Running } from "./instances.ts";
import { whyNot } from "./why.ts";

type Environment = AnsweredBy<"getEnvironment">;

/** COMPLIANT, NON-COMPLIANT, or UNKNOWN while there are no policies or no reports. */
export function stateWord({ state }: Pick<Environment, "state">): string {
  if (state === null || state === undefined) return "UNKNOWN";
  return state ? "COMPLIANT" : "NON-COMPLIANT";
}

/**
 * How an environment stands, since when and why, and why nobody knows where nobody does.
 *
 * @param artifacts what runs, as far as the page shows it
 * @param howToAttach says how it gets a policy
 */
export function stateSentence(
  environment: Environment,
  artifacts: readonly Running[],
  howToAttach: Html | undefined,
): Html {
  const { state, policies, lastChangedAt, type } = environment;
  const isLogical = type === "logical";
  return html`<p class="lead">${complianceVerdict(state)} ${sentence()}</p>${state === false ? whyNot(artifacts) : ""}`;
  function sentence(): Html {
    if (lastChangedAt === null || lastChangedAt === undefined) return html`Nothing was reported yet.`;
    if ((policies ?? []).length === 0 && state === null)
      return html`${isLogical ? "Not all of its environments have a policy." : "No policy says what may run here."} ${isLogical ? "" : howToAttach}`;
    return html`What runs, or whether it may, last changed ${time(lastChangedAt)}.`;
  }
}
