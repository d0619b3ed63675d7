import { html } from "hono/html";
import type { Html } from "../html.ts";
import { definePage, type PageRequest } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { field } from "../parts/field.ts";
import { link } from "../parts/link.ts";
import { table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { privilegeOf, roleField } from "./privilege.ts";

/** The service accounts of an organization. */
export const accountsPage = definePage({
  path: "/:org/accounts",
  audience: "accounts",
  async show(request) {
    const { ask, to, here } = request;
    const accounts = await ask("listServiceAccounts", {});
    const listed = table({
      id: "accounts",
      caption: "Service accounts",
      columns: [
        { head: "Name", cell: ({ name }) => link(to.page("accounts", name), name), csv: ({ name }) => name },
        { head: "Role", cell: ({ privilege }) => text(privilege), csv: ({ privilege }) => privilege },
        {
          head: "Description",
          cell: ({ description }) => text(description),
          csv: ({ description }) => description,
        },
        {
          head: "Made",
          cell: ({ createdAt }) => time(createdAt),
          csv: ({ createdAt }) => (createdAt ? utc(createdAt) : null),
        },
      ],
      rows: accounts,
      empty: empty("There is no account that you may see."),
      here,
    });
    return {
      title: "Accounts",
      main: html`${listed.html}${makeForm(request)}`,
      tables: [listed],
      json: { operation: "listServiceAccounts", given: {} },
      howTo: {
        title: "Make an account and a key on the command line",
        code: "delivery-evidence keys create --account pipelines --role member",
      },
    };
  },
  async act({ ask, sent, to }) {
    const name = sent.get("name") ?? "";
    await ask("createServiceAccount", {
      body: {
        name,
        description: sent.get("description") ?? "",
        privilege: privilegeOf(sent.get("privilege")),
      },
    });
    return { redirect: to.page("accounts", name) };
  },
});

function makeForm(request: PageRequest): Html {
  const { may, form, kept } = request;
  if (!may("createServiceAccount")) return html``;
  return html`<h2>Make an account</h2>${form({
    content: html`${field({ name: "name", label: "Name", value: kept("name"), isRequired: true })}
${roleField(kept("privilege", "member"), request)}
${field({ name: "description", label: "Description", value: kept("description") })}
<p><button type="submit">Make it</button></p>`,
    label: "Make an account",
  })}`;
}
