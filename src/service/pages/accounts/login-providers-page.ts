import { Forbidden } from "../../kernel/errors.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type FormRequest, type Page, type PageRequest, type Redirect } from "../page.ts";
import { empty } from "../parts/blocks.ts";
import {
  actionIn,
  area,
  checkbox,
  choice,
  confirmation,
  field,
  foldedForm,
  requireConfirmation,
} from "../parts/form.ts";
import { copyButton, type Html, html, row, text, visible } from "../parts/html.ts";
import { guideLink } from "../parts/links.ts";
import { table } from "../parts/table.ts";
import { roleLines, roleMapIn } from "./role-lines.ts";

type Provider = AnsweredBy<"listLoginProviders">[number];

export const loginProvidersPage = definePage({
  path: "/:org/login-providers",
  audience: "accounts",
  async show(request) {
    const { call, may } = request;
    if (!may("listLoginProviders")) throw new Forbidden();
    const rows = await call("listLoginProviders", {});
    const howTo = {
      title: "Add a login provider on the command line",
      code: `npx delivery-evidence call putLoginProvider --body - <<'END'\n{ "name": "company", "issuer": "https://login.example.com", "client_id": "evidence", "client_secret": "…", "role_map": [{ "role": "reader" }] }\nEND`,
    };
    const providers = table<Provider>(request, {
      id: "providers",
      caption: "Login providers",
      columns: {
        Provider: (provider) => ({ html: providerRow(provider), csv: provider.name }),
        Issuer: { cell: ({ issuer }) => issuer, isForCsv: true },
        "Redirect URI": ({ redirectUri, label }) => ({
          html: html`<code>${redirectUri}</code>${copyButton(redirectUri, `the redirect URI of ${visible(label)}`)}`,
          csv: redirectUri,
        }),
        Test: ({ testUrl, label }) => ({
          html: html`<a href="${testUrl}">Test ${text(label)}</a>`,
          csv: testUrl,
        }),
        Change: { cell: (provider) => changeForm(provider, request), isForForms: true },
        Delete: { cell: (provider) => deleteForm(provider, request), isForForms: true },
      },
      rows,
      empty: empty("No login providers yet.", howTo),
    });
    const add = {
      act: "put",
      content: fields(undefined, request),
      button: "Add provider",
      label: "Add a login provider",
    };
    return {
      title: "Login providers",
      main: html`<p>People sign in with the accounts that they have at your company. ${request.isOperators ? "These providers sign in to all organizations of the service." : "These providers give roles in this organization only."} Providers of the operator's file are not listed here. ${guideLink("people", "About sign-in")}</p>
${providers.html}
${foldedForm(add.label, add, request)}
<p>An identity provider can also send people and groups, with <a href="${request.to.page("scim-tokens")}">SCIM tokens</a>.</p>`,
      tables: [providers],
      json: { operation: "listLoginProviders", given: {} },
      howTo,
    };
  },
  act: (request) => actionIn(ACTIONS, request.sent)(request),
});

const ACTIONS: Readonly<Record<string, (request: FormRequest) => Promise<Page | Redirect>>> = {
  async put({ call, sent, to }) {
    const value = (name: string) => (sent.get(name) ?? "").trim();
    const list = (name: string) =>
      value(name)
        .split(/[\s,]+/)
        .filter((each) => each !== "");
    const secret = value("client_secret");
    const body = {
      ...{ name: value("name"), kind: value("kind") === "github" ? ("github" as const) : ("oidc" as const) },
      ...(value("label") === "" ? {} : { label: value("label") }),
      ...{ issuer: value("issuer"), clientId: value("client_id") },
      ...(secret === "" ? {} : { clientSecret: secret }),
      ...(list("scopes").length === 0 ? {} : { scopes: list("scopes") }),
      ...(value("groups_claim") === "" ? {} : { groupsClaim: value("groups_claim") }),
      ...{ allowedDomains: list("allowed_domains"), strict: sent.has("strict"), sync: sent.has("sync") },
      roleMap: roleMapIn(sent.get("role_map") ?? "", "role_map"),
    };
    await call("putLoginProvider", { body });
    return { redirect: to.page("login-providers") };
  },
  async delete({ call, sent, to }) {
    const providerName = sent.get("provider") ?? "";
    const message = "Type the name of the provider to delete it";
    requireConfirmation(sent, providerName, message, `delete-${providerName}`);
    await call("deleteLoginProvider", { providerName });
    return { redirect: to.page("login-providers") };
  },
};

/** Two forms of the page have the same fields, so ids begin with the provider's name. */
function fields(provider: Provider | undefined, request: PageRequest): Html {
  const id = (name: string) => `${provider?.name ?? "new"}-${name}`;
  const isOwn = request.entered("changes") === (provider?.name ?? "");
  const typed = isOwn ? request : undefined;
  const input = (name: string, label: string, value: string | undefined, more: object = {}) =>
    field({ name, id: id(name), label, value, ...more }, typed);
  return html`${
    provider === undefined
      ? html`<p>First register a web application at the provider. Its redirect URI ends with the name that you choose here: <code>${request.to.whole(request.to.root("login", `${request.org}.`))}<em>NAME</em>/callback</code></p>
${input("name", "Name", "", { isRequired: true, hint: "Lowercase letters, digits and hyphens, such as company" })}`
      : html`<input type="hidden" name="name" value="${provider.name}"><input type="hidden" name="changes" value="${provider.name}">`
  }
${choice(
  {
    ...{ name: "kind", id: id("kind"), label: "Kind", value: provider?.kind ?? "oidc" },
    options: [
      ["oidc", "OpenID Connect"],
      ["github", "GitHub"],
    ],
  },
  typed,
)}
${input("label", "Label on the button", provider?.label, { hint: "The name that people know, such as Acme. Default: the name" })}
${input("issuer", "Issuer", provider?.issuer, { isRequired: true, hint: "https://login.example.com" })}
${input("client_id", "Client ID", provider?.clientId, { isRequired: true })}
${input("client_secret", provider?.hasSecret ? "Client secret (empty keeps the stored one)" : "Client secret", "", { type: "password", isTypedAgain: true, autocomplete: "new-password" })}
${input("scopes", "Scopes", provider?.scopes.join(" "), { hint: "Default: openid profile email" })}
${input("groups_claim", "Claim with the groups", provider?.groupsClaim, { hint: "Default: groups. Microsoft Entra: roles" })}
${input("allowed_domains", "Email domains", provider?.allowedDomains.join(" "), { hint: "Only these may sign in, such as example.com. Default: all" })}
${area(
  {
    ...{ name: "role_map", id: id("role_map"), label: "Roles by group" },
    value: roleLines(provider?.roleMap ?? []),
    hint:
      "A group and its role in each line, such as platform-* member or everybody reader. The first line that matches counts." +
      (request.isOperators ? " Add organization:NAME for a role in another organization." : ""),
  },
  typed,
)}
<p class="picks">${checkbox({ name: "strict", value: "yes", label: "Only people with a role may sign in", isChecked: provider?.strict ?? true })}
${checkbox({ name: "sync", value: "yes", label: "Each sign-in changes and removes roles", isChecked: provider?.sync ?? true })}</p>`;
}

function providerRow({ name, label, kind, issuer, roleMap }: Provider): Html {
  return row(text(label), [
    text(name),
    html`${kind === "github" ? "GitHub" : "OpenID Connect"}`,
    text(issuer),
    html`${roleMap.length} ${roleMap.length === 1 ? "role line" : "role lines"}`,
  ]);
}

function changeForm(provider: Provider, request: PageRequest): Html {
  const shape = {
    act: "put",
    isOpen: request.entered("changes") === provider.name,
    content: fields(provider, request),
    button: "Save",
    label: `Change ${visible(provider.label)}`,
  };
  return foldedForm("Change", shape, request);
}

function deleteForm({ name, label }: Provider, request: PageRequest): Html {
  const shape = {
    act: "delete",
    isOpen: request.entered("provider") === name,
    content: html`<input type="hidden" name="provider" value="${name}">
<p>Roles that come from it end, and so do the sessions that started with it.</p>
${confirmation(name, request, `delete-${name}`)}`,
    isDangerous: true as const,
    button: "Delete provider",
    label: `Delete ${visible(label)}`,
  };
  return foldedForm("Delete", shape, request);
}
