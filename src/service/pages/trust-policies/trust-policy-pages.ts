import { html } from "hono/html";
import { Invalid } from "../../kernel/errors.ts";
import { actIn } from "../acts.ts";
import type { Html } from "../html.ts";
import { definePage, type FormRequest, type PageRequest } from "../page.ts";
import { facts } from "../parts/facts.ts";
import { field } from "../parts/field.ts";
import { longText, text } from "../parts/text.ts";
import { time } from "../parts/time.ts";
import { bodyOf, policyFields, policyIn } from "./policy-form.ts";
import { type Policy, reachOf, stateBadge, stateOf, stateSentence, whomOf } from "./policy-state.ts";

type Named = { readonly policy: string };

/** A trust policy: whom it trusts with what, and how it is used. */
export const trustPolicyPage = definePage({
  path: "/:org/trust-policies/:policy",
  audience: "accounts",
  async show(request) {
    const { params, ask, to, now } = request;
    const given = { policyName: params.policy };
    const policy = await ask("getTrustPolicy", given);
    return {
      title: `Trust policy ${policy.name}`,
      above: [{ name: "Trust", href: to.page("trust-policies") }],
      main: html`<p class="lead">${stateBadge(policy, now)} ${stateSentence(policy, now)}</p>
${policy.description === "" ? "" : longText(policy.description)}
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
    return { redirect: await actIn(ACTS, request.sent)(request) };
  },
});

function conditionsOf({ claims }: Policy): Html | undefined {
  const all = Object.entries(claims);
  if (all.length === 0) return undefined;
  return html`<ul class="plain">${all.map(
    ([claim, wanted]) => html`<li>${text(claim)} is ${text([wanted].flat().join(" or "))}</li>`,
  )}</ul>`;
}

function forms(policy: Policy, request: PageRequest<Named>): Html {
  const { may, form, kept, now } = request;
  if (!may("updateTrustPolicy")) return html``;
  const act = (name: string) => html`<input type="hidden" name="act" value="${name}">`;
  const toggle = policy.enabled
    ? { name: "disable", label: "Disable it", told: "Its tokens end at once, and it trusts nobody." }
    : {
        name: "enable",
        label: "Enable it",
        told: policy.pinnedUntil
          ? "Its first use within 24 hours keeps its ids."
          : "It trusts again whom it trusted.",
      };
  return html`<h2>What can be done</h2>
${
  // What has ended needs another end to be put again.
  policy.enabled && stateOf(policy, now) === "ENDED"
    ? ""
    : form({
        content: html`${act(toggle.name)}<p>${toggle.told}</p><p><button type="submit">${toggle.label}</button></p>`,
        label: toggle.label,
      })
}
<details${kept("act") === "change" ? html` open` : ""}><summary>Change it</summary>${form({
    content: html`${act("change")}<p>Its tokens end at once.</p>
${policyFields(policy, request)}
<p><button type="submit">Change it</button></p>`,
    label: "Change the trust policy",
  })}</details>
<details${kept("act") === "delete" ? html` open` : ""}><summary>Delete this policy</summary>${form({
    content: html`${act("delete")}<p>Its tokens end at once. What was proven by them stays with its records.</p>
${field({ name: "confirm", label: `Type ${policy.name} to confirm`, isRequired: true })}
<p><button type="submit">Delete it</button></p>`,
    label: "Delete the trust policy",
  })}</details>`;
}

type Acting = (request: FormRequest<Named>) => Promise<string>;

const ACTS: Readonly<Record<string, Acting>> = {
  enable: (request) => put(request, (before) => ({ ...bodyOf(before), enabled: true })),
  disable: (request) => put(request, (before) => ({ ...bodyOf(before), enabled: false })),
  change: (request) => put(request, (before) => policyIn(request.sent, before)),
  async delete({ ask, params, sent, to }) {
    if (sent.get("confirm") !== params.policy) throw new Invalid("Type the name of the policy to delete it");
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
