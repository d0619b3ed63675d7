import { html } from "hono/html";
import { Invalid } from "../../kernel/errors.ts";
import { actIn } from "../acts.ts";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import { definePage, type FormRequest, type Page, type PageRequest, type Redirect } from "../page.ts";
import { code } from "../parts/code.ts";
import { dayEnd } from "../parts/day.ts";
import { empty } from "../parts/empty.ts";
import { facts } from "../parts/facts.ts";
import { field } from "../parts/field.ts";
import { link } from "../parts/link.ts";
import { ALREADY_SHOWN, shownOnce } from "../parts/secret.ts";
import { type Table, table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { mayManage, privilegeOf, roleField } from "./privilege.ts";

type Named = { readonly account: string };
type Account = AnsweredBy<"getServiceAccount">;

/** A service account and its keys. */
export const accountPage = definePage({
  path: "/:org/accounts/:account",
  audience: "accounts",
  async show(request) {
    const { params, ask, to } = request;
    const { account: name } = params;
    const [account, keys] = await Promise.all([
      ask("getServiceAccount", { name }),
      ask("listApiKeys", { name }),
    ]);
    const listed = keyTable(keys, account, request);
    return {
      title: `Account ${account.name}`,
      above: [{ name: "Accounts", href: to.page("accounts") }],
      main: html`${facts([
        ["Role", text(account.privilege)],
        ["Description", account.description ? text(account.description) : ""],
        ["Made by", account.creatingUserId ? text(account.creatingUserId) : ""],
        ["Made", account.createdAt ? time(account.createdAt) : ""],
      ])}
${
  account.ofTrustPolicy
    ? ofTrustPolicy(account, request)
    : html`<h2>API keys</h2>
${listed.html}`
}
${mayManage(account, request) && !account.ofTrustPolicy ? html`${keyForm(request)}${changeForms(account, request)}` : ""}`,
      ...(account.ofTrustPolicy
        ? {
            json: { operation: "getServiceAccount", given: { name } },
            howTo: {
              title: "Read its trust policy on the command line",
              code: `npx delivery-evidence call getTrustPolicy policy_name=${account.name}`,
            },
          }
        : {
            tables: [listed],
            json: { operation: "listApiKeys", given: { name } },
            howTo: {
              title: "Make a key on the command line",
              code: `delivery-evidence keys create --account ${account.name} --expires 2027-01-31`,
            },
          }),
    };
  },
  async act(request) {
    return actIn(ACTS, request.sent)(request);
  },
});

function ofTrustPolicy({ name }: Account, { to, may }: PageRequest<Named>): Html {
  const policy = may("getTrustPolicy") ? link(to.page("trust-policies", name), name) : text(name);
  return html`<p>This account belongs to the trust policy ${policy}, whose workflows need no key.</p>`;
}

type Key = AnsweredBy<"listApiKeys">[number];

function keyTable(keys: readonly Key[], account: Account, request: PageRequest<Named>): Table {
  return table<Key>({
    id: "keys",
    caption: "Keys that are not revoked",
    columns: [
      {
        head: "What it is for",
        cell: ({ description, mayRotateItself }) =>
          html`${text(description)}${mayRotateItself ? " (may rotate itself)" : ""}`,
        csv: ({ description }) => description,
      },
      { head: "Made", cell: ({ createdAt }) => time(createdAt), csv: ({ createdAt }) => utc(createdAt) },
      {
        head: "Ends",
        cell: ({ expiresAt }) => (expiresAt === 0 ? "never" : time(expiresAt)),
        csv: ({ expiresAt }) => (expiresAt === 0 ? "never" : utc(expiresAt)),
      },
      {
        head: "Last used",
        cell: ({ lastUsedAt }) => time(lastUsedAt),
        csv: ({ lastUsedAt }) => (lastUsedAt ? utc(lastUsedAt) : null),
      },
      {
        head: "Replace or revoke it",
        cell: (key) => (mayManage(account, request) ? keyForms(key, request) : html``),
        csv: () => null,
        isForActs: true,
      },
    ],
    rows: keys,
    empty: empty("It has no key."),
    here: request.here,
  });
}

function keyForms({ id }: Key, { form }: PageRequest<Named>): Html {
  const named = (act: string) =>
    html`<input type="hidden" name="act" value="${act}"><input type="hidden" name="key" value="${id}">`;
  return html`<details><summary>Replace or revoke</summary>
${form({
  content: html`${named("rotate")}<p>The old key works for one more day.</p><p><button type="submit">Replace it</button></p>`,
  label: "Replace this key",
})}
${form({
  content: html`${named("revoke")}<p>It stops working at once, and so do the sessions that were begun with it.</p>
<p class="field"><label for="revoke-${id}">Type revoke to confirm</label><input id="revoke-${id}" name="confirm" type="text" autocomplete="off" required></p>
<p><button type="submit">Revoke it</button></p>`,
  label: "Revoke this key",
})}</details>`;
}

function keyForm({ form, kept }: PageRequest<Named>): Html {
  return html`<h3>Make a key</h3>${form({
    content: html`<input type="hidden" name="act" value="create">
${field({ name: "for", label: "What it is for", value: kept("for"), isRequired: true })}
${field({ name: "until", label: "Last day; empty for a key that does not end", type: "date", value: kept("until") })}
<p><button type="submit">Make a key</button></p>`,
    label: "Make a key",
  })}`;
}

function changeForms(account: Account, request: PageRequest<Named>): Html {
  const { may, form, kept } = request;
  if (!may("updateServiceAccount")) return html``;
  return html`<h2>Change it</h2>
<details${kept("act") === "update" ? html` open` : ""}><summary>Change role or description</summary>${form({
    content: html`<input type="hidden" name="act" value="update">
${roleField(kept("privilege", account.privilege), request)}
${field({ name: "description", label: "Description", value: kept("description", account.description ?? "") })}
<p><button type="submit">Change it</button></p>`,
    label: "Change the account",
  })}</details>
<details${kept("act") === "delete" ? html` open` : ""}><summary>Delete this account</summary>${form({
    content: html`<input type="hidden" name="act" value="delete"><p>Its keys stop working at once.</p>
${field({ name: "confirm", label: `Type ${account.name} to confirm`, isRequired: true })}
<p><button type="submit">Delete it</button></p>`,
    label: "Delete the account",
  })}</details>`;
}

const ACTS: Readonly<Record<string, (request: FormRequest<Named>) => Promise<Page | Redirect>>> = {
  async create(request) {
    const { ask, params, sent } = request;
    const expiresAt = dayEnd(sent.get("until"));
    const body = { description: sent.get("for") ?? "", ...(expiresAt === undefined ? {} : { expiresAt }) };
    if (!(await request.isFirst())) return keyPage(request, undefined);
    return keyPage(request, (await ask("createApiKey", { name: params.account, body })).key);
  },
  async rotate(request) {
    const { ask, params, sent } = request;
    if (!(await request.isFirst())) return keyPage(request, undefined);
    const given = { name: params.account, keyId: sent.get("key") ?? "", body: {} };
    return keyPage(request, (await ask("rotateApiKey", given)).key);
  },
  async revoke({ ask, params, sent, to }) {
    if (sent.get("confirm") !== "revoke") throw new Invalid("Type revoke to revoke the key");
    await ask("revokeApiKey", { name: params.account, keyId: sent.get("key") ?? "" });
    return { redirect: to.page("accounts", params.account) };
  },
  async update({ ask, params, sent, to }) {
    const privilege = privilegeOf(sent.get("privilege"));
    const description = sent.get("description") ?? "";
    await ask("updateServiceAccount", { name: params.account, body: { privilege, description } });
    return { redirect: to.page("accounts", params.account) };
  },
  async delete({ ask, params, sent, to }) {
    if (sent.get("confirm") !== params.account)
      throw new Invalid("Type the name of the account to delete it");
    await ask("deleteServiceAccount", { name: params.account });
    return { redirect: to.page("accounts") };
  },
};

/** The new key, this once, with what to do with it. */
function keyPage({ params, to, org }: PageRequest<Named>, key: string | undefined): Page {
  return {
    title: "A new key",
    above: [
      { name: "Accounts", href: to.page("accounts") },
      { name: params.account, href: to.page("accounts", params.account) },
    ],
    main:
      key === undefined
        ? ALREADY_SHOWN
        : html`${shownOnce({ id: "key", label: `API key of ${params.account}`, value: key })}
<p>Keep it as a secret of your repository, under the name that workflows read it by:</p>
${code("gh secret set EVIDENCE_API_KEY")}
<p>Workflows also need where it works:</p>
${code(`env:\n  EVIDENCE_BASE_URL: ${to.base}\n  EVIDENCE_ORG: ${org}`)}`,
    isSecret: true,
  };
}
