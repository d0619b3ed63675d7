import { html } from "hono/html";
import { policyFailures } from "../../../api/resources/assert-failures.ts";
import type { Html } from "../html.ts";
import { text } from "../parts/text.ts";
import type { Running } from "./instances.ts";

/** Reasons that are named at the head of a page; the table has all of them. */
const NAMED = 5;

/** Why an artifact may not run, by its policies. */
export function reasonsOf({ compliant, policyDecisions }: Running): string[] {
  if (compliant !== false) return [];
  return [...new Set((policyDecisions ?? []).flatMap(policyFailures).map(({ text: reason }) => reason))];
}

/** Why what runs may not: what holds for most artifacts first. */
export function whyNot(artifacts: readonly Running[]): Html {
  const byReason = new Map<string, { readonly first: string; count: number }>();
  for (const artifact of artifacts) {
    for (const reason of reasonsOf(artifact)) {
      const known = byReason.get(reason);
      if (known === undefined) byReason.set(reason, { first: artifact.name, count: 1 });
      else known.count += 1;
    }
  }
  if (byReason.size === 0) return html``;
  const named = [...byReason].sort(([, one], [, other]) => other.count - one.count).slice(0, NAMED);
  const rest = byReason.size - named.length;
  return html`<ul class="reasons">${named.map(
    ([reason, { first, count }]) =>
      html`<li>${text(first)}${count > 1 ? ` and ${count - 1} more` : ""}: ${text(reason)}</li>`,
  )}${rest > 0 ? html`<li>and ${rest} more reasons, with each artifact below</li>` : ""}</ul>`;
}
