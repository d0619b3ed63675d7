import { html } from "hono/html";
import type { Html } from "../html.ts";
import { definePage, type PageRequest } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { facts } from "../parts/facts.ts";
import { choice } from "../parts/field.ts";
import { link } from "../parts/link.ts";
import { table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";

/** A year, in seconds. */
const THEME_SECONDS = 365 * 24 * 60 * 60;

/** Who is signed in, where else, and how the pages look. */
export const settingsPage = definePage({
  path: "/settings",
  audience: "accounts",
  async show(request) {
    const { viewer, sessions, here, to, form, theme = "system" } = request;
    const { accountName, role } = viewer.caller;
    const listed = table({
      id: "sessions",
      caption: "Where you are signed in",
      columns: [
        { head: "Browser", cell: ({ client }) => text(client ?? "unknown"), csv: ({ client }) => client },
        { head: "Address", cell: ({ address }) => text(address ?? "unknown"), csv: ({ address }) => address },
        { head: "Begun", cell: ({ createdAt }) => time(createdAt), csv: ({ createdAt }) => utc(createdAt) },
        {
          head: "Last seen",
          cell: ({ lastSeenAt }) => time(lastSeenAt),
          csv: ({ lastSeenAt }) => utc(lastSeenAt),
        },
        { head: "Ends", cell: ({ expiresAt }) => time(expiresAt), csv: ({ expiresAt }) => utc(expiresAt) },
        { head: "End it", cell: ({ id }) => endForm(id, request), csv: () => null, isForActs: true },
      ],
      rows: await sessions.list(),
      empty: empty("Nowhere."),
      here,
    });
    return {
      title: "Settings",
      main: html`${facts([
        ["Account", text(accountName)],
        ["Role", role],
        ["Organization", link(to.page(), viewer.org.name)],
      ])}
${form({ action: to.root("logout"), content: html`<p><button type="submit">Sign out</button></p>`, label: "Sign out" })}
<h2>Sessions</h2>
${listed.html}
<h2>Look</h2>
${form({
  content: html`${choice({
    name: "theme",
    label: "Colours",
    value: theme,
    options: [
      ["system", "As the system has them"],
      ["light", "Light"],
      ["dark", "Dark"],
    ],
  })}<p><button type="submit">Use them</button></p>`,
  label: "Look",
})}`,
      tables: [listed],
      json: { operation: "getDefaultOrg", given: {} },
    };
  },
  async act({ sent, sessions, to }) {
    const session = sent.get("session");
    if (session !== null) await sessions.end(session);
    const theme = sent.get("theme");
    const redirect = to.root("settings");
    // It is no secret: scripts of this service are all that could read it.
    if (theme === "light" || theme === "dark") {
      return { redirect, cookie: `theme=${theme}; Path=/; SameSite=Lax; Max-Age=${THEME_SECONDS}` };
    }
    return theme === "system"
      ? { redirect, cookie: "theme=; Path=/; SameSite=Lax; Max-Age=0" }
      : { redirect };
  },
});

function endForm(id: string, { viewer, form }: Pick<PageRequest, "viewer" | "form">): Html {
  const isThis = viewer.kind === "account" && viewer.sessionId === id;
  if (isThis) return html`This one`;
  return form({
    content: html`<input type="hidden" name="session" value="${id}"><button type="submit">End it</button>`,
    label: "End this session",
  });
}
