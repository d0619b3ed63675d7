import type { PageRequest } from "../page.ts";
import { type Html, html } from "../parts/html.ts";

/** Links to the lists of people, service accounts and trusted workflows, with the number of each. */
export async function accountTabs(
  current: "people" | "accounts" | "trust-policies",
  { call, may, to }: PageRequest,
): Promise<Html> {
  const [people, accounts, workflows] = await Promise.all([
    may("listMembers") ? call("listMembers", {}) : undefined,
    may("listServiceAccounts") ? call("listServiceAccounts", {}) : undefined,
    may("listTrustPolicies") ? call("listTrustPolicies", {}) : undefined,
  ]);
  const programs = accounts?.filter(({ ofTrustPolicy = false }) => !ofTrustPolicy);
  const tabs = [
    { name: "People", step: "people", count: people?.length },
    { name: "Service accounts", step: "accounts", count: programs?.length },
    { name: "Workflows", step: "trust-policies", count: workflows?.length },
  ].filter(({ count }) => count !== undefined);
  if (tabs.length < 2) return html``;
  return html`<nav class="tabs" aria-label="Accounts"><ul>${tabs.map(
    ({ name, step, count }) => html`
<li><a href="${to.page(step)}"${step === current ? html` aria-current="page"` : ""}>${name} <span class="quiet">${count}</span></a></li>`,
  )}
</ul></nav>`;
}
