import { Forbidden } from "../../kernel/errors.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type FormRequest, type Page, type PageRequest, type Redirect } from "../page.ts";
import { ALREADY_SHOWN, empty, shownOnce } from "../parts/blocks.ts";
import { actionIn, confirmation, field, foldedForm, requireConfirmation } from "../parts/form.ts";
import { copyButton, type Html, html, visible } from "../parts/html.ts";
import { guideLink } from "../parts/links.ts";
import { table, timeCell } from "../parts/table.ts";
import { dayEnd } from "../parts/time.ts";
import { stateCell } from "./expiry-state.ts";

type Token = AnsweredBy<"listScimTokens">[number];

const HOW_TO = {
  title: "Create a SCIM token on the command line",
  code: `npx delivery-evidence call createScimToken --body - <<'END'\n{ "description": "Okta", "provider": "company" }\nEND`,
};

export const scimTokensPage = definePage({
  path: "/:org/scim-tokens",
  audience: "accounts",
  async show(request) {
    const { call, may, to, now } = request;
    if (!may("listScimTokens")) throw new Forbidden();
    const rows = await call("listScimTokens", {});
    const tokens = table<Token>(request, {
      id: "tokens",
      caption: "SCIM tokens, oldest first",
      columns: {
        Token: ({ description }) => description,
        State: (each) => stateCell(each, now),
        "Login provider": ({ provider }) => provider,
        Address: ({ url }) => ({
          html: html`<code>${url}</code>${copyButton(url, "the SCIM address")}`,
          csv: url,
        }),
        Expires: ({ expiresAt }) => (expiresAt === null ? "never" : timeCell(expiresAt)),
        "Last used": ({ lastUsedAt }) => (lastUsedAt === null ? "never" : timeCell(lastUsedAt)),
        "Created by": ({ createdBy }) => createdBy,
        Revoke: { cell: (each) => revokeForm(each, request), isForForms: true },
      },
      rows,
      empty: empty("No SCIM tokens yet.", HOW_TO),
    });
    const shape = {
      act: "create",
      content: html`${field({ name: "description", label: "Description", isRequired: true, hint: "The identity provider that uses it, such as Okta" }, request)}
${field({ name: "provider", label: "Login provider", isRequired: true, hint: `Its name in its addresses, such as company, or ${request.org}.company for a provider of this organization` }, request)}
${field({ name: "expires_at", label: "Expires", type: "date", hint: "Empty: never" }, request)}`,
      button: "Create token",
      label: "Create a SCIM token",
    };
    return {
      title: "SCIM tokens",
      above: [["Login providers", to.page("login-providers")]],
      main: html`<p>With a token, an identity provider sends the people and groups of this organization. Two tokens can work at the same time, so that one can replace the other. ${guideLink("scim", "About SCIM")}</p>
${tokens.html}
${foldedForm(shape.label, shape, request)}`,
      tables: [tokens],
      json: { operation: "listScimTokens", given: {} },
      howTo: HOW_TO,
    };
  },
  act: (request) => actionIn(ACTIONS, request.sent)(request),
});

function revokeForm({ id, description }: Token, request: PageRequest): Html {
  const shape = {
    act: "revoke",
    isOpen: request.entered("token") === id,
    content: html`<input type="hidden" name="token" value="${id}">
<p>The identity provider can then send no changes with it. People, groups and roles stay as they are.</p>
${confirmation("revoke", request, `revoke-${id}`)}`,
    isDangerous: true as const,
    button: "Revoke token",
    label: `Revoke ${visible(description)}`,
  };
  return foldedForm("Revoke", shape, request);
}

const ACTIONS: Readonly<Record<string, (request: FormRequest) => Promise<Page | Redirect>>> = {
  async create(request) {
    const { call, sent, to } = request;
    const value = (name: string) => (sent.get(name) ?? "").trim();
    const expiresAt = value("expires_at") === "" ? null : dayEnd(sent, "expires_at");
    const body = { description: value("description"), provider: value("provider"), expiresAt };
    // A form that is sent again creates no second token.
    const made = (await request.isFirst()) ? await call("createScimToken", { body }) : undefined;
    return {
      title: "New SCIM token",
      above: [["SCIM tokens", to.page("scim-tokens")]],
      main:
        made === undefined
          ? ALREADY_SHOWN
          : html`<p class="lead">Enter this address and this token at the identity provider:</p>
<p><code>${made.url}</code>${copyButton(made.url, "the SCIM address")}</p>
${shownOnce({ id: "token", label: `Token of ${made.description}`, value: made.token })}`,
      isSecret: true,
    };
  },
  async revoke({ call, sent, to }) {
    const tokenId = sent.get("token") ?? "";
    requireConfirmation(sent, "revoke", "Type revoke to revoke the token", `revoke-${tokenId}`);
    await call("revokeScimToken", { tokenId });
    return { redirect: to.page("scim-tokens") };
  },
};
