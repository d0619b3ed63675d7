import { definePage, type PageRequest } from "../page.ts";
import { facts } from "../parts/blocks.ts";
import { clientName } from "../parts/client-name.ts";
import { choice } from "../parts/form.ts";
import { commaList, type Html, html, link, text } from "../parts/html.ts";
import { table, timeCell } from "../parts/table.ts";
import { linkedAccounts, removeLinkedAccount } from "./linked-accounts.ts";

const THEME_SECONDS = 365 * 24 * 60 * 60;

export const settingsPage = definePage({
  path: "/settings",
  audience: "accounts",
  async show(request) {
    const { viewer, sessions, to, form, theme = "system" } = request;
    const { accountName, role } = viewer.caller;
    const orgs = (viewer.kind === "account" && viewer.person?.orgs) || [viewer.org.name];
    const listed = table(request, {
      id: "sessions",
      caption: "Active sessions",
      columns: {
        Client: ({ client }) => ({ html: text(clientName(client)), csv: client }),
        Kind: ({ kind }) => (kind === "browser" ? "Browser" : "Command line"),
        Address: ({ address }) => ({ html: text(address ?? "unknown"), csv: address }),
        Started: ({ createdAt }) => timeCell(createdAt),
        "Last seen": ({ lastSeenAt }) => timeCell(lastSeenAt),
        Expires: ({ expiresAt }) => timeCell(expiresAt),
        End: { cell: ({ id }) => endForm(id, request), isForForms: true },
      },
      rows: await sessions.list(),
      empty: "No sessions.",
    });
    const linked = await linkedAccounts(request);
    return {
      title: "Settings",
      main: html`${facts([
        ["Account", text(accountName)],
        ["Role", text(`${role} of ${viewer.org.name}`)],
        [
          orgs.length === 1 ? "Organization" : "Organizations",
          commaList(orgs.map((each) => link(to.root(each), each))),
        ],
      ])}
${form({ action: to.root("logout"), button: "Sign out" })}
${linked.html}
<h2>Sessions</h2>
${listed.html}
<h2>Theme</h2>
${form({
  content: html`${choice({
    name: "theme",
    label: "Colors",
    value: theme,
    options: [
      ["system", "System"],
      ["light", "Light"],
      ["dark", "Dark"],
    ],
  })}`,
  button: "Save",
  label: "Theme",
})}`,
      tables: [...linked.tables, listed],
      json: { operation: "getDefaultOrg", given: {} },
    };
  },
  async act(request) {
    const { sent, sessions, to } = request;
    if (sent.get("act") === "unlink") await removeLinkedAccount(request);
    const session = sent.get("session");
    if (session !== null) await sessions.end(session);
    const theme = sent.get("theme");
    const redirect = to.root("settings");
    // It is not secret, so scripts may read it.
    const cookie = (value: string, seconds: number) =>
      `theme=${value}; Path=/; SameSite=Lax; Max-Age=${seconds}`;
    if (theme === "light" || theme === "dark") return { redirect, cookie: cookie(theme, THEME_SECONDS) };
    return theme === "system" ? { redirect, cookie: cookie("", 0) } : { redirect };
  },
});

function endForm(id: string, { viewer, form }: Pick<PageRequest, "viewer" | "form">): Html {
  const isThis = viewer.kind === "account" && viewer.sessionId === id;
  if (isThis) return html`This session`;
  return form({
    content: html`<input type="hidden" name="session" value="${id}"><p><button type="submit">End session</button></p>`,
  });
}
