import type { TrendBucket } from "../../../api/resources/trends.ts";
import { definePage, type PageRequest } from "../page.ts";
import { empty } from "../parts/blocks.ts";
import { stackedBars } from "../parts/charts.ts";
import { type Html, html, link, list } from "../parts/html.ts";
import { dayOf } from "../parts/period.ts";
import { trailTable } from "../parts/records.ts";
import { badge } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { environmentCards, type ListedEnvironment } from "./environment-cards.ts";
import { tasksOf } from "./tasks.ts";
import { tiles, trailsPath } from "./tiles.ts";

const LATEST = 10;
/** Complete weeks, besides the present one. */
const WEEKS = 12;
const CARDS = 12;

export const organizationPage = definePage({
  path: "/:org",
  audience: "everybody",
  async show(request) {
    const { org, call, may } = request;
    const [latest, environments, weeks] = await Promise.all([
      call("listTrails", { perPage: LATEST, count: false }),
      environmentsOf(request),
      may("getTrends")
        ? call("getTrends", { weeks: WEEKS + 1, figures: ["trails", "deployments"] })
        : undefined,
    ]);
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
    const isEmpty = latest.data.length === 0 && environments.length === 0;
    const buckets = weeks?.series.at(0)?.buckets ?? [];
    return {
      title: org,
      main: isEmpty
        ? html`<p class="lead">Nothing has been recorded yet.</p>
${trails.html}`
        : html`${tiles({ environments, buckets }, request)}
${besideTasks(
  html`<section aria-labelledby="week-trails">
<h2 id="week-trails">Trails by week</h2>
${trailBars(buckets, request)}
</section>`,
  await tasksOf(environments, request),
)}
${await environmentCards(environments.slice(0, CARDS), request)}
<h2>Latest trails</h2>
${trails.html}`,
      tables: [trails],
      json: { operation: "listTrails", given: { perPage: LATEST } },
      howTo,
    };
  },
});

/** Redirects `/` to the organization of the signed-in account, or lists those of a person. */
export const startPage = definePage({
  path: "/",
  audience: "accounts",
  async show({ to, viewer }) {
    const orgs = viewer.kind === "account" ? (viewer.person?.orgs ?? []) : [];
    if (orgs.length < 2) return { redirect: to.page() };
    return {
      title: "Your organizations",
      main: html`<ul>${orgs.map((org) => html`<li>${link(to.root(org), org)}</li>`)}</ul>`,
    };
  },
});

/** All environments. The first are those whose state changed last. */
async function environmentsOf({ call, may }: PageRequest): Promise<readonly ListedEnvironment[]> {
  if (!may("listEnvironments")) return [];
  const answer = await call("listEnvironments", { sort: "last_changed_at", sortDirection: "desc" });
  return "environments" in answer ? answer.environments : answer;
}

function trailBars(buckets: readonly TrendBucket[], { to }: PageRequest): Html {
  const bars = buckets.slice(-WEEKS).map((week) => ({
    label: `Week of ${dayOf(week.start)}`,
    href: trailsPath(week, to),
    parts: [
      { tone: "ok" as const, word: "compliant", count: week.trails?.compliant ?? 0 },
      { tone: "warn" as const, word: "incomplete", count: week.trails?.incomplete ?? 0 },
      { tone: "fail" as const, word: "non-compliant", count: week.trails?.nonCompliant ?? 0 },
    ],
  }));
  return stackedBars(bars, "Trails of the last 12 weeks, by their present result");
}

/** Viewers without tasks see the chart alone. */
function besideTasks(chart: Html, tasks: readonly Html[] | undefined): Html {
  if (tasks === undefined) return chart;
  const none = html`<p>${badge("OK", "ok")} Nothing needs you.</p>`;
  return html`<div class="beside">
${chart}
<section aria-labelledby="tasks">
<h2 id="tasks">Needs you</h2>
${list(tasks, "todo") ?? none}
</section>
</div>`;
}
