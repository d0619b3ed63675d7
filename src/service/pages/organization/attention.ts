import { html } from "hono/html";
import type { PageRequest } from "../page.ts";
import { link } from "../parts/link.ts";
import { type Table, table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { trailTable } from "../parts/trail-table.ts";
import { complianceVerdict } from "../parts/verdict.ts";

/* What in an organization somebody has to look at, each as a table that is left out when it is empty. */

type Asking = Pick<PageRequest, "ask" | "may" | "to" | "here" | "viewer" | "now">;

/** How many of each are shown. */
const SHOWN = 10;
/** A key that ends within so many seconds is soon to be replaced: 14 days. */
const SOON = 14 * 24 * 60 * 60;
/** The keys of so many accounts are looked at. */
const ACCOUNTS = 100;

const nothing = html``;

/** The environments in which something runs that should not. */
export async function troubledEnvironments({ ask, to, here }: Asking): Promise<Table> {
  const answer = await ask("listEnvironments", {});
  const all = "environments" in answer ? answer.environments : answer;
  return table({
    id: "environments",
    caption: "Environments that are not compliant",
    columns: [
      {
        head: "Name",
        cell: ({ name }) => link(to.page("environments", name), name),
        csv: ({ name }) => name,
      },
      { head: "State", cell: ({ state }) => complianceVerdict(state), csv: () => "NON-COMPLIANT" },
      { head: "Type", cell: ({ type }) => type, csv: ({ type }) => type },
      {
        head: "Last changed",
        cell: ({ lastChangedAt }) => time(lastChangedAt),
        csv: ({ lastChangedAt }) => (lastChangedAt ? utc(lastChangedAt) : null),
      },
    ],
    rows: all.filter(({ state }) => state === false),
    empty: nothing,
    here,
  });
}

/** The latest trails that are not compliant: a gate refuses what was built in them. */
export async function refusedTrails(request: Asking): Promise<Table> {
  const { data } = await request.ask("listTrails", { complianceState: "NON-COMPLIANT", perPage: SHOWN });
  return trailTable(
    { id: "trails", caption: "Trails that are not compliant", trails: data, empty: nothing },
    request,
  );
}

/** The notification rules whose targets do not take what they are sent. */
export async function failingNotifications({ ask, may, to, here, viewer }: Asking): Promise<Table> {
  const actions = viewer.kind === "account" && may("listActions") ? await ask("listActions", {}) : [];
  return table({
    id: "notifications",
    caption: "Notifications that do not arrive",
    columns: [
      {
        head: "Rule",
        cell: ({ name, number }) => link(to.page("actions", number), name),
        csv: ({ name }) => name,
      },
      {
        head: "Last failed",
        cell: (action) => time(action.lastFailureTimestamp),
        csv: (action) => utc(action.lastFailureTimestamp ?? 0),
      },
    ],
    rows: actions.filter(({ isFailing }) => isFailing),
    empty: nothing,
    here,
  });
}

/** The keys that end soon, or have ended, for who may see them. */
export async function endingKeys({ ask, may, to, here, now }: Asking): Promise<Table> {
  const accounts = may("listServiceAccounts") ? await ask("listServiceAccounts", {}) : [];
  const keys = await Promise.all(
    accounts.slice(0, ACCOUNTS).map(async ({ name }) => {
      const listed = await ask("listApiKeys", { name });
      return listed.map((key) => ({ ...key, account: name }));
    }),
  );
  return table({
    id: "keys",
    caption: "API keys that end soon",
    columns: [
      {
        head: "Account",
        cell: ({ account }) => link(to.page("accounts", account), account),
        csv: ({ account }) => account,
      },
      { head: "Key", cell: ({ description }) => text(description), csv: ({ description }) => description },
      { head: "Ends", cell: ({ expiresAt }) => time(expiresAt), csv: ({ expiresAt }) => utc(expiresAt) },
    ],
    rows: keys.flat().filter(({ expiresAt }) => expiresAt !== 0 && expiresAt <= now + SOON),
    empty: nothing,
    here,
  });
}
