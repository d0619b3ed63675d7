import { html } from "hono/html";
import { actIn } from "../acts.ts";
import type { Html } from "../html.ts";
import { definePage, type FormRequest, type Page, type PageRequest, type Redirect } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { field } from "../parts/field.ts";
import { link } from "../parts/link.ts";
import { table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { explain, explainForm } from "./explanation.ts";
import { policyFields, policyIn } from "./policy-form.ts";
import { type Policy, reachOf, stateBadge, stateOf, whomOf } from "./policy-state.ts";

const HOW_TO = {
  title: "Trust a repository on the command line",
  code: "npx delivery-evidence trust github acme/web --flow web",
};

/** Which workflows an organization trusts without a key, and with what. */
export const trustPoliciesPage = definePage({
  path: "/:org/trust-policies",
  audience: "accounts",
  async show(request) {
    const { ask, to, here, now } = request;
    const policies = table<Policy>({
      id: "policies",
      caption: "Trust policies",
      columns: [
        {
          head: "Name",
          cell: ({ name }) => link(to.page("trust-policies", name), name),
          csv: ({ name }) => name,
        },
        {
          head: "State",
          cell: (policy) => stateBadge(policy, now),
          csv: (policy) => stateOf(policy, now),
        },
        { head: "Trusts", cell: (policy) => text(whomOf(policy)), csv: whomOf },
        { head: "As", cell: ({ role }) => text(role), csv: ({ role }) => role },
        { head: "For", cell: (policy) => text(reachOf(policy)), csv: reachOf },
        {
          head: "Last used",
          cell: ({ lastUsedAt }) => time(lastUsedAt),
          csv: ({ lastUsedAt }) => orNever(lastUsedAt),
        },
        { head: "Uses", cell: ({ uses }) => uses, csv: ({ uses }) => uses, isNumber: true },
        {
          head: "Ends",
          cell: ({ expiresAt }) => time(expiresAt),
          csv: ({ expiresAt }) => orNever(expiresAt),
        },
      ],
      rows: await ask("listTrustPolicies", {}),
      empty: empty("No workflow is trusted yet: all of them need a key.", HOW_TO),
      here,
    });
    return {
      title: "Trust policies",
      main: html`<p>A workflow that fits one proves who it is by a token of its job, and needs no key.</p>
${policies.html}${makeForm(request)}${explainForm(request)}`,
      tables: [policies],
      json: { operation: "listTrustPolicies", given: {} },
      howTo: HOW_TO,
    };
  },
  async act(request) {
    return actIn(ACTS, request.sent)(request);
  },
});

function orNever(seconds: number | null | undefined): string {
  return typeof seconds === "number" ? utc(seconds) : "never";
}

function makeForm(request: PageRequest): Html {
  const { may, form, kept } = request;
  if (!may("createTrustPolicy")) return html``;
  return html`<h2>Trust a workflow</h2>${form({
    content: html`<input type="hidden" name="act" value="create">
${field({ name: "name", label: "Name", value: kept("name"), isRequired: true })}
${policyFields(undefined, request)}
<p><button type="submit">Trust it</button></p>`,
    label: "Trust a workflow",
  })}`;
}

const ACTS: Readonly<Record<string, (request: FormRequest) => Promise<Page | Redirect>>> = {
  async create({ ask, sent, to }) {
    const name = (sent.get("name") ?? "").trim();
    await ask("createTrustPolicy", { body: { name, ...policyIn(sent) } });
    return { redirect: to.page("trust-policies", name) };
  },
  explain,
};
