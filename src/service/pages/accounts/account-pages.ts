import { covers } from "../../kernel/access.ts";
import { isRole } from "../../kernel/caller.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type FormRequest, type Page, type PageRequest, type Redirect } from "../page.ts";
import { ALREADY_SHOWN, code, facts, shownOnce } from "../parts/blocks.ts";
import { actionIn, confirmation, field, foldedForm, requireConfirmation } from "../parts/form.ts";
import { type Html, html, text } from "../parts/html.ts";
import { crumbs, linkIf } from "../parts/links.ts";
import { linkCell, type Table, table, timeCell, wordCell } from "../parts/table.ts";
import { dayEnd, time } from "../parts/time.ts";
import { wholeList } from "../parts/whole-list.ts";
import { accountTabs } from "./account-tabs.ts";
import { roleField, roleIn } from "./role-field.ts";

export const accountsPage = definePage({
  path: "/:org/accounts",
  audience: "accounts",
  async show(request) {
    const { call, to } = request;
    const all = await call("listServiceAccounts", {});
    const list = wholeList(
      all.filter(({ ofTrustPolicy = false }) => !ofTrustPolicy),
      {
        things: "accounts",
        texts: ({ name, privilege, description }) => [name, privilege, description],
        sorts: {
          name: ({ name }) => name,
          role: ({ privilege }) => privilege,
          created: ({ createdAt }) => createdAt,
        },
      },
      request,
    );
    const by = list.sorting.by;
    const accounts = table(request, {
      id: "accounts",
      caption: "Service accounts",
      position: list.count,
      columns: {
        Name: { cell: ({ name }) => linkCell(to.page("accounts", name), name), sorted: by("name") },
        Role: { cell: ({ privilege }) => privilege, sorted: by("role") },
        Description: ({ description }) => description,
        Created: { cell: ({ createdAt }) => timeCell(createdAt), sorted: by("created") },
      },
      rows: list.rows,
      empty: list.empty("You cannot see any accounts."),
    });
    return {
      title: "Service accounts",
      main: html`${await accountTabs("accounts", request)}
<p>Programs use the API with the keys of a service account. Workflows of GitHub need none.</p>
${list.bar}
${accounts.html}${list.pager}${creationForm(request)}${findForm(request)}`,
      tables: [accounts],
      json: { operation: "listServiceAccounts", given: {} },
      howTo: {
        title: "Create an account and a key on the command line",
        code: "delivery-evidence keys create --account pipelines --role member",
      },
    };
  },
  async act({ call, sent, to }) {
    if (sent.get("act") === "find") {
      const found = await call("findApiKey", { body: { key: sent.get("key")?.trim() ?? "" } });
      return { redirect: `${to.page("accounts", found.account)}#key-${found.apiKey.id}` };
    }
    const name = sent.get("name") ?? "";
    await call("createServiceAccount", {
      body: { name, description: sent.get("description") ?? "", privilege: roleIn(sent) },
    });
    return { redirect: to.page("accounts", name) };
  },
});

function creationForm(request: PageRequest): Html {
  const { may, form } = request;
  if (!may("createServiceAccount")) return html``;
  return html`<h2>Create an account</h2>${form({
    content: html`${field({ name: "name", label: "Name", isRequired: true, codes: ["resource.exists"] }, request)}
${roleField("member", request)}
${field({ name: "description", label: "Description" }, request)}`,
    button: "Create account",
    label: "Create an account",
  })}`;
}

/** The key is in the body of a form, because addresses are logged and remembered. */
function findForm(request: PageRequest): Html {
  const { may, form } = request;
  if (!may("findApiKey")) return html``;
  return html`<h2>Whose key is this?</h2>
<p>Paste a key to see its account, where you can revoke it. The key is not stored or logged.</p>${form({
    act: "find",
    content: field(
      {
        ...{ name: "key", label: "API key", codes: ["api_key.not_found"] },
        ...{ isRequired: true, isTypedAgain: true },
      },
      request,
    ),
    button: "Find key",
    label: "Find a key",
  })}`;
}

type Named = { readonly account: string };
type Account = AnsweredBy<"getServiceAccount">;

export const accountPage = definePage({
  path: "/:org/accounts/:account",
  audience: "accounts",
  async show(request) {
    const { params, call, to, may } = request;
    const { account: name } = params;
    const [account, keys] = await Promise.all([
      call("getServiceAccount", { name }),
      call("listApiKeys", { name }),
    ]);
    const known = facts([
      ["Role", text(account.privilege)],
      ["Description", account.description ? text(account.description) : ""],
      ["Created by", account.creatingUserId ? text(account.creatingUserId) : ""],
      ["Created", account.createdAt ? time(account.createdAt) : ""],
    ]);
    const shown = {
      title: `Account ${account.name}`,
      above: [["Service accounts", to.page("accounts")]] as const,
    };
    if (account.ofTrustPolicy) {
      const policy = linkIf(may("getTrustPolicy"), to.page("trust-policies", account.name), account.name);
      return {
        ...shown,
        main: html`${known}
<p>This account belongs to the trust policy ${policy}. Its workflows need no key.</p>`,
        json: { operation: "getServiceAccount", given: { name } },
        howTo: {
          title: "Read its trust policy on the command line",
          code: `npx delivery-evidence call getTrustPolicy policy_name=${account.name}`,
        },
      };
    }
    const listed = keyTable(keys, account, request);
    return {
      ...shown,
      main: html`${known}
<h2>API keys</h2>
${listed.html}
${mayManage(account, request) ? html`${keyForm(request)}${changeForms(account, request)}` : ""}`,
      tables: [listed],
      json: { operation: "listApiKeys", given: { name } },
      howTo: {
        title: "Create a key on the command line",
        code: `delivery-evidence keys create --account ${account.name} --expires 2027-01-31`,
      },
    };
  },
  act: (request) => actionIn(ACTIONS, request.sent)(request),
});

/** Refuses to manage an account with more rights than the caller has. */
function mayManage({ privilege }: Account, { viewer }: PageRequest): boolean {
  return isRole(privilege) && covers(viewer.caller.role, privilege);
}

type Key = AnsweredBy<"listApiKeys">[number];

function keyTable(keys: readonly Key[], account: Account, request: PageRequest<Named>): Table {
  return table<Key>(request, {
    id: "keys",
    caption: "Active and expired keys",
    columns: {
      Purpose: ({ id, description, mayRotateItself }) => ({
        html: html`<span id="key-${id}">${text(description)}</span>${mayRotateItself ? " (may rotate itself)" : ""}`,
        csv: description,
      }),
      Ends: ({ lastFour }) => (lastFour ? { html: html`<code>…${lastFour}</code>`, csv: lastFour } : null),
      Id: { cell: ({ id }) => ({ html: html`<code>${id}</code>`, csv: id }) },
      Created: ({ createdAt }) => timeCell(createdAt),
      Expires: ({ expiresAt }) => (expiresAt === 0 ? wordCell("never") : timeCell(expiresAt)),
      "Last used": ({ lastUsedAt }) => timeCell(lastUsedAt),
      "Replace or revoke": {
        cell: (key) => (mayManage(account, request) ? keyForms(key, request) : ""),
        isForForms: true,
      },
    },
    rows: keys,
    empty: "No keys.",
  });
}

function keyForms({ id }: Key, request: PageRequest<Named>): Html {
  const { form, entered } = request;
  const key = html`<input type="hidden" name="key" value="${id}">`;
  return html`<details${entered("key") === id ? html` open` : ""}><summary>Replace or revoke</summary>
${form({
  act: "rotate",
  content: html`${key}<p>The old key works for one more day.</p>`,
  button: "Replace key",
  label: "Replace this key",
})}
${form({
  act: "revoke",
  content: html`${key}<p>The key and the sessions that it started end at once.</p>
${confirmation("revoke", request, `revoke-${id}`)}`,
  isDangerous: true,
  button: "Revoke key",
  label: "Revoke this key",
})}</details>`;
}

function keyForm(request: PageRequest<Named>): Html {
  return html`<h3>Create a key</h3>${request.form({
    act: "create",
    content: html`${field({ name: "for", label: "Purpose", fills: "description", isRequired: true }, request)}
${field({ name: "until", label: "Last day (optional)", type: "date", fills: "expires_at" }, request)}`,
    button: "Create key",
  })}`;
}

function changeForms(account: Account, request: PageRequest<Named>): Html {
  const { may } = request;
  if (!may("updateServiceAccount")) return html``;
  const update = {
    act: "update",
    content: html`${roleField(account.privilege, request)}
${field({ name: "description", label: "Description", value: account.description ?? "" }, request)}`,
    button: "Save",
    label: "Change the account",
  };
  const remove = {
    act: "delete",
    content: html`<p>Its keys stop working at once.</p>
${confirmation(account.name, request)}`,
    isDangerous: true as const,
    button: "Delete account",
    label: "Delete the account",
  };
  return html`<h2>Actions</h2>
${foldedForm("Change role or description", update, request)}
${foldedForm("Delete this account", remove, request)}`;
}

const ACTIONS: Readonly<Record<string, (request: FormRequest<Named>) => Promise<Page | Redirect>>> = {
  async create(request) {
    const { call, params, sent } = request;
    const expiresAt = dayEnd(sent, "until");
    const body = { description: sent.get("for") ?? "", ...(expiresAt === undefined ? {} : { expiresAt }) };
    if (!(await request.isFirst())) return keyPage(request, undefined);
    return keyPage(request, (await call("createApiKey", { name: params.account, body })).key);
  },
  async rotate(request) {
    const { call, params, sent } = request;
    if (!(await request.isFirst())) return keyPage(request, undefined);
    const given = { name: params.account, keyId: sent.get("key") ?? "", body: {} };
    return keyPage(request, (await call("rotateApiKey", given)).key);
  },
  async revoke({ call, params, sent, to }) {
    const keyId = sent.get("key") ?? "";
    requireConfirmation(sent, "revoke", "Type revoke to revoke the key", `revoke-${keyId}`);
    await call("revokeApiKey", { name: params.account, keyId });
    return { redirect: to.page("accounts", params.account) };
  },
  async update({ call, params, sent, to }) {
    const body = { privilege: roleIn(sent), description: sent.get("description") ?? "" };
    await call("updateServiceAccount", { name: params.account, body });
    return { redirect: to.page("accounts", params.account) };
  },
  async delete({ call, params, sent, to }) {
    requireConfirmation(sent, params.account, "Type the name of the account to delete it");
    await call("deleteServiceAccount", { name: params.account });
    return { redirect: to.page("accounts") };
  },
};

function keyPage({ params, to, org }: PageRequest<Named>, key: string | undefined): Page {
  return {
    title: "New key",
    above: crumbs(to, "Service accounts", "accounts", params.account),
    main:
      key === undefined
        ? ALREADY_SHOWN
        : html`${shownOnce({ id: "key", label: `API key of ${params.account}`, value: key })}
<p>Save it as a repository secret. Workflows read it by this name:</p>
${code("gh secret set EVIDENCE_API_KEY")}
<p>Workflows also need the address of the service and the organization:</p>
${code(`env:\n  EVIDENCE_BASE_URL: ${to.base}\n  EVIDENCE_ORG: ${org}`)}`,
    isSecret: true,
  };
}
