import type { AnsweredBy } from "../ask.ts";
import { definePage, type FormRequest, type Page, type PageRequest, type Redirect } from "../page.ts";
import { data, empty, facts } from "../parts/blocks.ts";
import { actionIn, confirmation, field, foldedForm, requireConfirmation } from "../parts/form.ts";
import { type Html, html, link, longText, plainList, text } from "../parts/html.ts";
import { linkCell, table } from "../parts/table.ts";
import { time, utc } from "../parts/time.ts";
import { badge } from "../parts/verdict.ts";
import { bodyOf, policyFields, policyIn } from "./trust-policy-form.ts";
import { type Policy, reachOf, stateBadge, stateOf, stateSentence, whomOf } from "./trust-policy-state.ts";

const HOW_TO = {
  title: "Trust a repository on the command line",
  code: "npx delivery-evidence trust github acme/web --flow web",
};

export const trustPoliciesPage = definePage({
  path: "/:org/trust-policies",
  audience: "accounts",
  async show(request) {
    const { ask, to, now } = request;
    const policies = table<Policy>(request, {
      id: "policies",
      caption: "Trust policies",
      columns: {
        Name: ({ name }) => linkCell(to.page("trust-policies", name), name),
        State: (policy) => ({ html: stateBadge(policy, now), csv: stateOf(policy, now) }),
        Trusts: whomOf,
        As: ({ role }) => role,
        For: reachOf,
        "Last used": ({ lastUsedAt }) => timeOrNever(lastUsedAt),
        Uses: { cell: ({ uses }) => uses, isNumber: true },
        Ends: ({ expiresAt }) => timeOrNever(expiresAt),
      },
      rows: await ask("listTrustPolicies", {}),
      empty: empty("No workflow is trusted yet: all of them need a key.", HOW_TO),
    });
    return {
      title: "Trust policies",
      main: html`<p>A workflow that fits one proves who it is by a token of its job, and needs no key.</p>
${policies.html}${creationForm(request)}${explainForm(request)}`,
      tables: [policies],
      json: { operation: "listTrustPolicies", given: {} },
      howTo: HOW_TO,
    };
  },
  act: (request) => actionIn(LIST_ACTIONS, request.sent)(request),
});

function timeOrNever(seconds: number | null | undefined) {
  return { html: time(seconds), csv: typeof seconds === "number" ? utc(seconds) : "never" };
}

function creationForm(request: PageRequest): Html {
  const { may, form, kept } = request;
  if (!may("createTrustPolicy")) return html``;
  return html`<h2>Trust a workflow</h2>${form({
    act: "create",
    content: html`${field({ name: "name", label: "Name", value: kept("name"), isRequired: true })}
${policyFields(undefined, request)}`,
    button: "Trust it",
    label: "Trust a workflow",
  })}`;
}

const LIST_ACTIONS: Readonly<Record<string, (request: FormRequest) => Promise<Page | Redirect>>> = {
  async create({ ask, sent, to }) {
    const name = (sent.get("name") ?? "").trim();
    await ask("createTrustPolicy", { body: { name, ...policyIn(sent) } });
    return { redirect: to.page("trust-policies", name) };
  },
  explain,
};

type Named = { readonly policy: string };

export const trustPolicyPage = definePage({
  path: "/:org/trust-policies/:policy",
  audience: "accounts",
  async show(request) {
    const { params, ask, to, now } = request;
    const given = { policyName: params.policy };
    const policy = await ask("getTrustPolicy", given);
    return {
      title: `Trust policy ${policy.name}`,
      above: [["Trust", to.page("trust-policies")]],
      main: html`<p class="lead">${stateBadge(policy, now)} ${stateSentence(policy, now)}</p>
${longText(policy.description)}
${facts([
  ["Trusts", text(whomOf(policy))],
  ["Repository id", policy.repositoryId ? text(policy.repositoryId) : ""],
  ["Owner id", policy.repositoryOwnerId ? text(policy.repositoryOwnerId) : ""],
  ["Where its token says", conditionsOf(policy)],
  ["As", text(policy.role)],
  ["For", text(reachOf(policy))],
  ["Who signs its tokens", text(policy.issuer)],
  ["Last used", time(policy.lastUsedAt)],
  ["Uses", policy.uses],
  ["Ends", time(policy.expiresAt)],
  ["Made by", text(policy.createdBy)],
  ["Made", time(policy.createdAt)],
])}
${forms(policy, request)}`,
      json: { operation: "getTrustPolicy", given },
      howTo: {
        title: "Delete it on the command line",
        code: `npx delivery-evidence call deleteTrustPolicy policy_name=${policy.name}`,
      },
    };
  },
  async act(request) {
    return { redirect: await actionIn(ACTIONS, request.sent)(request) };
  },
});

function conditionsOf({ claims }: Policy): Html | undefined {
  return plainList(
    Object.entries(claims).map(
      ([claim, wanted]) => html`${text(claim)} is ${text([wanted].flat().join(" or "))}`,
    ),
  );
}

function forms(policy: Policy, request: PageRequest<Named>): Html {
  const { may, form, now } = request;
  if (!may("updateTrustPolicy")) return html``;
  const afterEnabling = policy.pinnedUntil
    ? "Its first use within 24 hours keeps its ids."
    : "It trusts again whom it trusted.";
  const toggle = policy.enabled
    ? { act: "disable", button: "Disable it", effect: "Its tokens end at once, and it trusts nobody." }
    : { act: "enable", button: "Enable it", effect: afterEnabling };
  // An ended policy needs another end before it can change.
  const isEnded = policy.enabled && stateOf(policy, now) === "ENDED";
  const change = {
    act: "change",
    content: html`<p>Its tokens end at once.</p>
${policyFields(policy, request)}`,
    button: "Change it",
    label: "Change the trust policy",
  };
  const remove = {
    act: "delete",
    content: html`<p>Its tokens end at once. What was proven by them stays with its records.</p>
${confirmation(policy.name)}`,
    button: "Delete it",
    label: "Delete the trust policy",
  };
  return html`<h2>What can be done</h2>
${isEnded ? "" : form({ ...toggle, content: html`<p>${toggle.effect}</p>` })}
${foldedForm("Change it", change, request)}
${foldedForm("Delete this policy", remove, request)}`;
}

/** Each gives the address of the page to show. */
const ACTIONS: Readonly<Record<string, (request: FormRequest<Named>) => Promise<string>>> = {
  enable: (request) => put(request, (before) => ({ ...bodyOf(before), enabled: true })),
  disable: (request) => put(request, (before) => ({ ...bodyOf(before), enabled: false })),
  change: (request) => put(request, (before) => policyIn(request.sent, before)),
  async delete({ ask, params, sent, to }) {
    requireConfirmation(sent, params.policy, "Type the name of the policy to delete it");
    await ask("deleteTrustPolicy", { policyName: params.policy });
    return to.page("trust-policies");
  },
};

async function put(
  { ask, params, to }: FormRequest<Named>,
  changed: (before: Policy) => ReturnType<typeof bodyOf>,
): Promise<string> {
  const given = { policyName: params.policy };
  await ask("updateTrustPolicy", { ...given, body: changed(await ask("getTrustPolicy", given)) });
  return to.page("trust-policies", params.policy);
}

type Explained = AnsweredBy<"explainTrust">;

/** Asks why a token fits a policy or does not. The pasted token is in no page, not even after a refusal. */
function explainForm({ may, form }: PageRequest): Html {
  if (!may("explainTrust")) return html``;
  return html`<h2>Why does a token not fit?</h2>
<p>Paste a token that a job got for this organization. It is not kept, and stays good for an exchange.</p>
${form({
  act: "explain",
  content: field({
    name: "token",
    label: "Token",
    type: "password",
    autocomplete: "one-time-code",
    isRequired: true,
  }),
  button: "Explain it",
  label: "Explain a token",
})}`;
}

async function explain(request: FormRequest): Promise<Page> {
  const { ask, sent, to } = request;
  const token = (sent.get("token") ?? "").trim();
  const explained = await ask("explainTrust", { body: { token } });
  const policies = table<Explained["policies"][number]>(request, {
    id: "explained",
    caption: "Trust policies of its issuer",
    columns: {
      Policy: ({ name }) => linkCell(to.page("trust-policies", name), name),
      Fits: ({ fits }) =>
        fits ? { html: badge("FITS", "ok"), csv: "yes" } : { html: badge("DOES NOT FIT", "fail"), csv: "no" },
      "What does not fit": (each) => ({
        html: problemsOf(each),
        csv: Object.keys(each.problems).join(" "),
      }),
    },
    rows: explained.policies,
    empty: "No trust policy of its issuer works.",
  });
  return {
    title: "A token, explained",
    above: [["Trust", to.page("trust-policies")]],
    main: html`<p class="lead">${verdictOf(explained)}</p>${policies.html}${await notAsked(explained, request)}${data("What the token says", explained.claims)}`,
    isSecret: true,
  };
}

/** Policies that no token of its issuer fits: they are disabled, have ended, or are of another issuer. */
async function notAsked({ policies }: Explained, { ask, to, now }: PageRequest): Promise<Html> {
  const asked = new Set(policies.map(({ name }) => name));
  const others = (await ask("listTrustPolicies", {})).filter(({ name }) => !asked.has(name));
  if (others.length === 0) return html``;
  return html`<p>Not asked, whatever the token says:</p>${plainList(
    others.map((policy) => {
      const isOver = ["DISABLED", "ENDED"].includes(stateOf(policy, now));
      const why = isOver ? stateBadge(policy, now) : html`is for the tokens of ${text(policy.issuer)}`;
      return html`${link(to.page("trust-policies", policy.name), policy.name)} ${why}`;
    }),
  )}`;
}

function verdictOf({ policy, policies }: Explained): Html {
  if (policy) return html`An exchange takes the policy ${text(policy)}.`;
  return policies.some(({ fits }) => fits)
    ? html`Several policies fit: the job has to name one of them.`
    : html`No policy fits, and an exchange is refused.`;
}

function problemsOf({ problems }: Explained["policies"][number]) {
  const all = Object.entries(problems);
  return plainList(all.map(([claim, problem]) => html`${text(claim)} ${text(problem)}`));
}
