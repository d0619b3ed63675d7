import { accountTabs } from "../accounts/account-tabs.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type FormRequest, type Page, type PageRequest, type Redirect } from "../page.ts";
import { data, empty, facts } from "../parts/blocks.ts";
import { actionIn, confirmation, field, foldedForm, requireConfirmation } from "../parts/form.ts";
import { type Html, html, link, longText, plainList, text } from "../parts/html.ts";
import { scopeOf } from "../parts/scope.ts";
import { linkCell, table } from "../parts/table.ts";
import { time, utc } from "../parts/time.ts";
import { badge } from "../parts/verdict.ts";
import { wholeList } from "../parts/whole-list.ts";
import { bodyOf, policyFields, policyIn } from "./trust-policy-form.ts";
import { idTexts, type Policy, stateBadge, stateOf, stateSentence, subjectOf } from "./trust-policy-state.ts";

const HOW_TO = {
  title: "Trust a repository on the command line",
  code: "npx delivery-evidence trust github acme/web --flow web",
};

export const trustPoliciesPage = definePage({
  path: "/:org/trust-policies",
  audience: "accounts",
  async show(request) {
    const { call, to, now } = request;
    const list = wholeList(
      await call("listTrustPolicies", {}),
      {
        things: "trust policies",
        texts: (policy) => [policy.name, subjectOf(policy), policy.role, policy.description],
        sorts: {
          name: ({ name }) => name,
          used: ({ lastUsedAt }) => lastUsedAt,
          uses: ({ uses }) => uses,
          expires: ({ expiresAt }) => expiresAt,
        },
      },
      request,
    );
    const by = list.sorting.by;
    const policies = table<Policy>(request, {
      id: "policies",
      caption: "Trust policies",
      position: list.count,
      columns: {
        Name: { cell: ({ name }) => linkCell(to.page("trust-policies", name), name), sorted: by("name") },
        State: (policy) => ({ html: stateBadge(policy, now), csv: stateOf(policy, now) }),
        Trusts: subjectOf,
        Role: ({ role }) => role,
        Scope: scopeOf,
        "Last used": { cell: ({ lastUsedAt }) => timeOrNever(lastUsedAt), sorted: by("used") },
        Uses: { cell: ({ uses }) => uses, isNumber: true, sorted: by("uses") },
        Expires: { cell: ({ expiresAt }) => timeOrNever(expiresAt), sorted: by("expires") },
      },
      rows: list.rows,
      empty: list.empty(empty("No trust policies yet, so all workflows need a key.", HOW_TO)),
    });
    return {
      title: "Trust policies",
      main: html`${await accountTabs("trust-policies", request)}
<p>A workflow that matches a trust policy proves its identity with a token of its job and needs no key.</p>
${list.bar}
${policies.html}${list.pager}${creationForm(request)}${explainForm(request)}`,
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
  const { may, form } = request;
  if (!may("createTrustPolicy")) return html``;
  return html`<h2>Trust a workflow</h2>${form({
    act: "create",
    content: html`${field({ name: "name", label: "Name", isRequired: true, codes: ["resource.exists"] }, request)}
${policyFields(undefined, request)}`,
    button: "Create trust policy",
    label: "Trust a workflow",
  })}`;
}

const LIST_ACTIONS: Readonly<Record<string, (request: FormRequest) => Promise<Page | Redirect>>> = {
  async create({ call, sent, to }) {
    const name = (sent.get("name") ?? "").trim();
    await call("createTrustPolicy", { body: { name, ...policyIn(sent) } });
    return { redirect: to.page("trust-policies", name) };
  },
  explain,
};

type Named = { readonly policy: string };

export const trustPolicyPage = definePage({
  path: "/:org/trust-policies/:policy",
  audience: "accounts",
  async show(request) {
    const { params, call, to, now } = request;
    const given = { policyName: params.policy };
    const policy = await call("getTrustPolicy", given);
    return {
      title: `Trust policy ${policy.name}`,
      above: [["Trust policies", to.page("trust-policies")]],
      main: html`<p class="lead">${stateBadge(policy, now)} ${stateSentence(policy, now)}</p>
${longText(policy.description)}
${facts([
  ["Trusts", text(subjectOf(policy))],
  ["Repository id", policy.repositoryId ? text(policy.repositoryId) : ""],
  ["Owner id", policy.repositoryOwnerId ? text(policy.repositoryOwnerId) : ""],
  ["Service account UID", policy.serviceAccountUid ? text(policy.serviceAccountUid) : ""],
  ["Project ids", policy.projectIds ? plainList(idTexts(policy.projectIds).map(text)) : ""],
  ["Keys of the issuer", policy.jwks ? `${policy.jwks.keys.length} in the policy` : ""],
  ["Required claims", conditionsOf(policy)],
  ["Role", text(policy.role)],
  ["Scope", text(scopeOf(policy))],
  ["Token issuer", text(policy.issuer)],
  ["Last used", time(policy.lastUsedAt)],
  ["Uses", policy.uses],
  ["Expires", time(policy.expiresAt)],
  ["Created by", text(policy.createdBy)],
  ["Created", time(policy.createdAt)],
])}
${forms(policy, request)}`,
      json: { operation: "getTrustPolicy", given },
      howTo: {
        title: "Delete the policy on the command line",
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
    ? "Its first use within 24 hours sets its ids."
    : "It trusts the same workflows as before.";
  const toggle = policy.enabled
    ? {
        act: "disable",
        button: "Disable policy",
        effect: "Its access tokens end at once, and it trusts no workflow.",
      }
    : { act: "enable", button: "Enable policy", effect: afterEnabling };
  // An expired policy needs a new last day before it can change.
  const isEnded = policy.enabled && stateOf(policy, now) === "ENDED";
  const change = {
    act: "change",
    content: html`<p>Its access tokens end at once.</p>
${policyFields(policy, request)}`,
    button: "Save",
    label: "Change the trust policy",
  };
  const remove = {
    act: "delete",
    content: html`<p>Its access tokens end at once. Existing records keep their proven origin.</p>
${confirmation(policy.name, request)}`,
    isDangerous: true as const,
    button: "Delete policy",
    label: "Delete the trust policy",
  };
  return html`<h2>Actions</h2>
${isEnded ? "" : form({ ...toggle, content: html`<p>${toggle.effect}</p>` })}
${foldedForm("Change this policy", change, request)}
${foldedForm("Delete this policy", remove, request)}`;
}

/** Each returns the address of the next page. */
const ACTIONS: Readonly<Record<string, (request: FormRequest<Named>) => Promise<string>>> = {
  enable: (request) => put(request, (before) => ({ ...bodyOf(before), enabled: true })),
  disable: (request) => put(request, (before) => ({ ...bodyOf(before), enabled: false })),
  change: (request) => put(request, (before) => policyIn(request.sent, before)),
  async delete({ call, params, sent, to }) {
    requireConfirmation(sent, params.policy, "Type the name of the policy to delete it");
    await call("deleteTrustPolicy", { policyName: params.policy });
    return to.page("trust-policies");
  },
};

async function put(
  { call, params, to }: FormRequest<Named>,
  changed: (before: Policy) => ReturnType<typeof bodyOf>,
): Promise<string> {
  const given = { policyName: params.policy };
  await call("updateTrustPolicy", { ...given, body: changed(await call("getTrustPolicy", given)) });
  return to.page("trust-policies", params.policy);
}

type Explained = AnsweredBy<"explainTrust">;

/** Explains why a token matches a policy or not. No page contains the pasted token, not even after a refusal. */
function explainForm(request: PageRequest): Html {
  const { may, form } = request;
  if (!may("explainTrust")) return html``;
  return html`<h2>Explain a token</h2>
<p>Paste a token that a job received for this organization. The token is not stored and can still be exchanged.</p>
${form({
  act: "explain",
  content: field(
    {
      name: "token",
      label: "Token",
      type: "password",
      autocomplete: "one-time-code",
      isRequired: true,
      isTypedAgain: true,
    },
    request,
  ),
  button: "Explain token",
  label: "Explain a token",
})}`;
}

async function explain(request: FormRequest): Promise<Page> {
  const { call, sent, to } = request;
  const token = (sent.get("token") ?? "").trim();
  const explained = await call("explainTrust", { body: { token } });
  const policies = table<Explained["policies"][number]>(request, {
    id: "explained",
    caption: "Trust policies for its issuer",
    columns: {
      Policy: ({ name }) => linkCell(to.page("trust-policies", name), name),
      Matches: ({ fits }) =>
        fits
          ? { html: badge("Matches", "ok"), csv: "yes" }
          : { html: badge("Does not match", "fail"), csv: "no" },
      Problems: (each) => ({
        html: problemsOf(each),
        csv: Object.keys(each.problems).join(" "),
      }),
    },
    rows: explained.policies,
    empty: "No active trust policies for its issuer.",
  });
  return {
    title: "Token explanation",
    above: [["Trust policies", to.page("trust-policies")]],
    main: html`<p class="lead">${resultText(explained)}</p>${policies.html}${await notEvaluated(explained, request)}${data("Token claims", explained.claims)}`,
    isSecret: true,
  };
}

/** Policies that were not evaluated, because they are disabled, expired, or for another issuer. */
async function notEvaluated({ policies }: Explained, { call, to, now }: PageRequest): Promise<Html> {
  const evaluated = new Set(policies.map(({ name }) => name));
  const others = (await call("listTrustPolicies", {})).filter(({ name }) => !evaluated.has(name));
  if (others.length === 0) return html``;
  return html`<p>Not evaluated:</p>${plainList(
    others.map((policy) => {
      const isOver = ["DISABLED", "ENDED"].includes(stateOf(policy, now));
      const reason = isOver ? stateBadge(policy, now) : html`is for the tokens of ${text(policy.issuer)}`;
      return html`${link(to.page("trust-policies", policy.name), policy.name)} ${reason}`;
    }),
  )}`;
}

function resultText({ policy, policies }: Explained): Html {
  if (policy) return html`An exchange uses the policy ${text(policy)}.`;
  return policies.some(({ fits }) => fits)
    ? html`Several policies match. The job must name one of them.`
    : html`No policy matches, so an exchange is refused.`;
}

function problemsOf({ problems }: Explained["policies"][number]) {
  const all = Object.entries(problems);
  return plainList(all.map(([claim, problem]) => html`${text(claim)} ${text(problem)}`));
}
