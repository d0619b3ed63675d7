import type { FormRequest, OwnIdentities, PageRequest } from "../page.ts";
import { confirmation, foldedForm, requireConfirmation } from "../parts/form.ts";
import { type Html, html, text } from "../parts/html.ts";
import { type Table, table } from "../parts/table.ts";

type AnyRequest = PageRequest<unknown>;
type Shown = Awaited<ReturnType<OwnIdentities["list"]>>[number];

/** The accounts at providers with which a person signs in, and links to add another one. */
export async function linkedAccounts(
  request: AnyRequest,
): Promise<{ readonly html: Html; readonly tables: readonly Table[] }> {
  const { identities } = request;
  if (identities === undefined) return { html: html``, tables: [] };
  const [rows, linkable] = await Promise.all([identities.list(), identities.linkable()]);
  const mayRemove = rows.length > 1;
  const listed = table<Shown>(request, {
    id: "linked",
    caption: "Accounts to sign in with",
    columns: {
      Provider: ({ label }) => label,
      "ID at the provider": ({ subject }) => subject,
      ...(mayRemove ? { Remove: { cell: (each) => removeForm(each, request), isForForms: true } } : {}),
    },
    rows,
    empty: "No accounts.",
  });
  const links = linkable.map(
    ({ label, href }) =>
      html`<li><a class="button" href="${href}">Link an account of ${text(label)}</a></li>`,
  );
  return {
    html: html`<h2>Accounts to sign in with</h2>
${listed.html}${links.length === 0 ? "" : html`<ul class="providers">${links}</ul>`}`,
    tables: [listed],
  };
}

function removeForm({ id, subject, label }: Shown, request: AnyRequest): Html {
  const shape = {
    act: "unlink",
    isOpen: request.entered("identity") === id,
    content: html`<input type="hidden" name="identity" value="${id}">
<p>You can no longer sign in with it. Its sessions end, and so do the roles that its groups gave.</p>
${confirmation("remove", request, `remove-${id}`)}`,
    isDangerous: true as const,
    button: "Remove account",
    label: `Remove the account ${subject} of ${label}`,
  };
  return foldedForm("Remove", shape, request);
}

export async function removeLinkedAccount({
  sent,
  identities,
}: Pick<FormRequest, "sent" | "identities">): Promise<void> {
  const id = sent.get("identity") ?? "";
  requireConfirmation(sent, "remove", "Type remove to remove the account", `remove-${id}`);
  await identities?.remove(id);
}
