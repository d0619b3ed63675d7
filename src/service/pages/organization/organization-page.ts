import { definePage, type PageRequest } from "../page.ts";
import { empty } from "../parts/blocks.ts";
import { html } from "../parts/html.ts";
import { trailTable } from "../parts/records.ts";
import { complianceCell, linkCell, type Table, table, timeCell, wordCell } from "../parts/table.ts";
import { badge } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";

const LATEST = 10;

export const organizationPage = definePage({
  path: "/:org",
  audience: "everybody",
  async show(request) {
    const { org, call } = request;
    const [latest, ...lists] = await Promise.all([
      call("listTrails", { perPage: LATEST }),
      nonCompliantEnvironments(request),
      nonCompliantTrails(request),
      failingNotifications(request),
      expiringKeys(request),
    ]);
    const attention = lists.filter(({ count }) => count > 0);
    const howTo = {
      title: "Start a trail",
      code: workflowStep("begin-trail", { flow: "web", trail: "${{ github.sha }}" }, request),
    };
    const trails = trailTable(request, {
      id: "latest",
      caption: "Latest trails",
      rows: latest.data,
      empty: empty("No trails yet.", howTo),
    });
    return {
      title: org,
      main: html`<section aria-labelledby="attention"><h2 id="attention">Needs attention</h2>
${attention.length === 0 ? html`<p class="lead">${badge("OK", "ok")} Nothing needs attention.</p>` : attention.map((each) => each.html)}</section>
<section aria-labelledby="recorded"><h2 id="recorded">Latest records</h2>${trails.html}</section>`,
      tables: [...attention, trails],
      json: { operation: "listTrails", given: { perPage: LATEST } },
      howTo,
    };
  },
});

/** Redirects `/` to the organization of the signed-in account. */
export const startPage = definePage({
  path: "/",
  audience: "accounts",
  show: async ({ to }) => ({ redirect: to.page() }),
});

const SHOWN = 10;
/** Keys that expire within 14 days are listed. */
const SOON = 14 * 24 * 60 * 60;
const ACCOUNTS = 100;

async function nonCompliantEnvironments(request: PageRequest): Promise<Table> {
  const { call, to } = request;
  const answer = await call("listEnvironments", {});
  const all = "environments" in answer ? answer.environments : answer;
  return table(request, {
    id: "environments",
    caption: "Non-compliant environments",
    columns: {
      Name: ({ name }) => linkCell(to.page("environments", name), name),
      State: ({ state }) => complianceCell(state),
      Type: ({ type }) => wordCell(type),
      "Last changed": ({ lastChangedAt }) => timeCell(lastChangedAt),
    },
    rows: all.filter(({ state }) => state === false),
    empty: "",
  });
}

/** The latest non-compliant trails. Gates refuse their artifacts. */
async function nonCompliantTrails(request: PageRequest): Promise<Table> {
  const { data } = await request.call("listTrails", { complianceState: "NON-COMPLIANT", perPage: SHOWN });
  return trailTable(request, {
    id: "trails",
    caption: "Non-compliant trails",
    rows: data,
    empty: "",
  });
}

async function failingNotifications(request: PageRequest): Promise<Table> {
  const { call, may, to, viewer } = request;
  const actions = viewer.kind === "account" && may("listActions") ? await call("listActions", {}) : [];
  return table(request, {
    id: "notifications",
    caption: "Failing notifications",
    columns: {
      Rule: ({ name, number }) => linkCell(to.page("actions", number), name),
      "Last failed": (action) => timeCell(action.lastFailureTimestamp),
    },
    rows: actions.filter(({ isFailing }) => isFailing),
    empty: "",
  });
}

async function expiringKeys(request: PageRequest): Promise<Table> {
  const { call, may, to, now } = request;
  const accounts = may("listServiceAccounts") ? await call("listServiceAccounts", {}) : [];
  const keys = await Promise.all(
    accounts.slice(0, ACCOUNTS).map(async ({ name }) => {
      const listed = await call("listApiKeys", { name });
      return listed.map((key) => ({ ...key, account: name }));
    }),
  );
  return table(request, {
    id: "keys",
    caption: "API keys that expire soon",
    columns: {
      Account: ({ account }) => linkCell(to.page("accounts", account), account),
      Key: ({ description }) => description,
      Expires: ({ expiresAt }) => timeCell(expiresAt),
    },
    rows: keys.flat().filter(({ expiresAt }) => expiresAt !== 0 && expiresAt <= now + SOON),
    empty: "",
  });
}
