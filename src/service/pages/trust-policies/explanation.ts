import { html } from "hono/html";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import type { FormRequest, Page, PageRequest } from "../page.ts";
import { data } from "../parts/data.ts";
import { empty } from "../parts/empty.ts";
import { field } from "../parts/field.ts";
import { link } from "../parts/link.ts";
import { table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { badge } from "../parts/verdict.ts";
import { stateBadge, stateOf } from "./policy-state.ts";

type Explained = AnsweredBy<"explainTrust">;

/** Asks why a token fits a policy or does not. What was pasted is in no page, also when it is refused. */
export function explainForm({ may, form }: Pick<PageRequest, "may" | "form">): Html {
  if (!may("explainTrust")) return html``;
  return html`<h2>Why does a token not fit?</h2>
<p>Paste a token that a job got for this organization. It is not kept, and stays good for an exchange.</p>
${form({
  content: html`<input type="hidden" name="act" value="explain">
${field({ name: "token", label: "Token", type: "password", autocomplete: "one-time-code", isRequired: true })}
<p><button type="submit">Explain it</button></p>`,
  label: "Explain a token",
})}`;
}

export async function explain(request: FormRequest): Promise<Page> {
  const { ask, sent, to, here } = request;
  const token = (sent.get("token") ?? "").trim();
  const explained = await ask("explainTrust", { body: { token } });
  const policies = table<Explained["policies"][number]>({
    id: "explained",
    caption: "Trust policies of its issuer",
    columns: [
      {
        head: "Policy",
        cell: ({ name }) => link(to.page("trust-policies", name), name),
        csv: ({ name }) => name,
      },
      {
        head: "Fits",
        cell: ({ fits }) => (fits ? badge("FITS", "ok") : badge("DOES NOT FIT", "fail")),
        csv: ({ fits }) => (fits ? "yes" : "no"),
      },
      { head: "What does not fit", cell: problemsOf, csv: ({ problems }) => Object.keys(problems).join(" ") },
    ],
    rows: explained.policies,
    empty: empty("No trust policy of its issuer works."),
    here,
  });
  return {
    title: "A token, explained",
    above: [{ name: "Trust", href: to.page("trust-policies") }],
    main: html`<p class="lead">${verdictOf(explained)}</p>${policies.html}${await notAsked(explained, request)}${data("What the token says", explained.claims)}`,
    isSecret: true,
  };
}

/** Policies that no token of its issuer fits: they are switched off, have ended, or are of another issuer. */
async function notAsked({ policies }: Explained, { ask, to, now }: PageRequest): Promise<Html> {
  const asked = new Set(policies.map(({ name }) => name));
  const others = (await ask("listTrustPolicies", {})).filter(({ name }) => !asked.has(name));
  if (others.length === 0) return html``;
  return html`<p>Not asked, whatever the token says:</p><ul class="plain">${others.map((policy) => {
    const isOver = ["DISABLED", "ENDED"].includes(stateOf(policy, now));
    return html`<li>${link(to.page("trust-policies", policy.name), policy.name)} ${isOver ? stateBadge(policy, now) : html`is for the tokens of ${text(policy.issuer)}`}</li>`;
  })}</ul>`;
}

function verdictOf({ policy, policies }: Explained): Html {
  if (policy) return html`An exchange takes the policy ${text(policy)}.`;
  return policies.some(({ fits }) => fits)
    ? html`Several policies fit: the job has to name one of them.`
    : html`No policy fits, and an exchange is refused.`;
}

function problemsOf({ problems }: Explained["policies"][number]): Html {
  const all = Object.entries(problems);
  if (all.length === 0) return html``;
  return html`<ul class="plain">${all.map(([claim, problem]) => html`<li>${text(claim)} ${text(problem)}</li>`)}</ul>`;
}
