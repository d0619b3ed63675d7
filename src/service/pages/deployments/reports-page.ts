import { MAX_SAMPLE } from "../../../api/resources/deployments.ts";
import { gzipTar, textEntry } from "../../evidence/packages/package.ts";
import { Refusal } from "../../kernel/errors.ts";
import { definePage, type PageRequest } from "../page.ts";
import { facts } from "../parts/blocks.ts";
import { choiceFilter, filterBar, limitedPeriodFilter, numberFilter } from "../parts/filter-bar.ts";
import { Html, html, text } from "../parts/html.ts";
import { environmentNames, flowNames, OF_ENVIRONMENT, OF_FLOW } from "../parts/known-names.ts";
import { lastMoment, type Period } from "../parts/period.ts";
import { linkCell, type Table, table, timeCell } from "../parts/table.ts";
import { utc } from "../parts/time.ts";
import { counted } from "../parts/words.ts";
import { controlGrid } from "./control-grid.ts";
import { deploymentTable } from "./deployment-table.ts";
import { allowedIn, type Listed, overridesIn, populationOf, type Subject } from "./population.ts";

/** Deployments of a period for an auditor: how many, a sample of them, and the exceptions. */
export const reportsPage = definePage({
  path: "/:org/reports",
  audience: "everybody",
  async show(request) {
    const { query, here } = request;
    const [environments, flows] = await Promise.all([environmentNames(request), flowNames(request)]);
    const filters = {
      env: choiceFilter("Environment", environments, OF_ENVIRONMENT),
      flow: choiceFilter("Flow", flows, OF_FLOW),
      period: limitedPeriodFilter("quarter"),
      sample: numberFilter("Sample size", { usual: SIZE, most: MAX_SAMPLE }),
      seed: numberFilter("Seed", { usual: SEED, most: 999_999_999 }),
    };
    const bar = filterBar("Choose a report", filters, request);
    const found = await bar.find(async ({ env, flow, period, sample, seed }) => {
      const asked = { subject: { env, flow }, period, size: sample, seed };
      return { period, ...(await reportOf(asked, request)) };
    });
    if (found instanceof Refusal) return bar.refused({ title: "Reports" }, found);
    const { main, tables, period } = found;
    if (query.get("format") === "archive") return archive(found, request);
    return {
      title: "Reports",
      main: html`${bar.html}
<p class="buttons"><a href="${here({ format: "archive" })}">Download as an archive</a></p>
${main}`,
      tables,
      json: {
        operation: "listDeployments",
        given: { startTs: period.start, endTs: lastMoment(period.end) },
      },
      howTo: {
        title: "List the deployments of a period on the command line",
        code: "npx delivery-evidence call listDeployments start_ts=1767225600 end_ts=1774915200",
      },
    };
  },
});

const SIZE = 25;
const SEED = 42;

interface Asked {
  readonly subject: Subject;
  readonly period: Period;
  /** Size of the sample. */
  readonly size: number;
  readonly seed: number;
}

/** @throws Invalid if the period has too many records, NotFound for an unknown environment or flow */
async function reportOf({ subject, period, size, seed }: Asked, request: PageRequest) {
  const population = await populationOf(subject, period, request);
  const isFile = request.query.has("format");
  const [all, picked, unreviewed, byAuthor, refused, overrides, allowed, controls] = await Promise.all([
    // Only files have this table.
    isFile ? population.matching({}) : { rows: [], total: 0 },
    population.sample(size, seed),
    population.matching({ review: "unreviewed" }),
    population.matching({ approval: "by_author" }),
    population.matching({ complianceState: "NON-COMPLIANT" }),
    overridesIn(subject, period, request),
    allowedIn(subject, period, request),
    controlGrid(period, request),
  ]);
  const named = (id: string, caption: string, { rows, total }: Listed) => {
    const position = total > rows.length ? `the first ${rows.length} of ${total}` : "";
    return deploymentTable(request, { id, caption, position, rows, empty: "None." });
  };
  const sample = named("sample", `Sample of ${picked.total}, seed ${seed}`, picked);
  const exceptions = [
    named("unreviewed", "Deployments without review", unreviewed),
    named("by-author", "Deployments approved by the author of the commit", byAuthor),
    named("refused", "Deployments that were not compliant", refused),
    overrideTable(overrides, request),
    allowedTable(allowed, request),
  ];
  const main = html`<h2>Population</h2>
${facts([
  ["Period", `${utc(period.start)} to ${utc(period.end)}`],
  ["Environment", subject.env === "" ? "all that you may see" : text(subject.env)],
  ["Flow", subject.flow === "" ? "all that you may see" : text(subject.flow)],
  ["Deployments", counted(population.total, "deployment")],
])}
<h2>Exceptions</h2>
${exceptions.map((each) => (each.count === 0 ? "" : each.html))}
${nonesOf(exceptions) === "" ? "" : html`<p>None: ${nonesOf(exceptions)}</p>`}
<h2>Sample</h2>
${sample.html}
<h2>Controls</h2>
${request.may("listControls") ? controls.html : html`<p>You may not see controls.</p>`}`;
  return { main, tables: [sample, named("population", "All deployments", all), ...exceptions, controls] };
}

const NAMES: Readonly<Record<string, string>> = {
  unreviewed: "deployments without review",
  "by-author": "deployments approved by the author",
  refused: "deployments that were not compliant",
  overrides: "overrides",
  allowed: "allowlist entries",
};

function nonesOf(exceptions: readonly Table[]): string {
  const names = exceptions.flatMap(({ id, count }) => (count === 0 ? (NAMES[id] ?? []) : []));
  return names.join(", ");
}

function overrideTable(rows: Awaited<ReturnType<typeof overridesIn>>, request: PageRequest): Table {
  const { to } = request;
  return table(request, {
    id: "overrides",
    caption: "Overrides",
    columns: {
      Attestation: ({ attestationName, flowName, trailName, attestationId }) =>
        flowName && trailName
          ? linkCell(
              to.page("flows", flowName, "trails", trailName, "attestations", attestationId),
              attestationName,
            )
          : attestationName,
      Flow: ({ flowName }) => flowName,
      By: ({ reportedBy }) => reportedBy,
      Reason: ({ reason }) => reason,
      Recorded: ({ createdAt }) => timeCell(createdAt),
    },
    rows,
    empty: "None.",
  });
}

function allowedTable(rows: Awaited<ReturnType<typeof allowedIn>>, request: PageRequest): Table {
  return table(request, {
    id: "allowed",
    caption: "Allowlist entries",
    columns: {
      Artifact: ({ artifactName }) => artifactName,
      Environment: ({ environmentName }) => environmentName,
      By: ({ userName }) => userName,
      Reason: ({ description }) => description,
      Allowed: ({ timestamp }) => timeCell(timestamp),
    },
    rows,
    empty: "None.",
  });
}

/** An `index.html` that needs nothing else, and a CSV file of each table. */
async function archive(
  { main, tables }: { main: Html; tables: readonly Table[] },
  { org, now, to }: PageRequest,
) {
  // Links lead to the service, except those of CSV files, which are beside the page.
  const { origin } = new URL(to.base);
  const content = String(main)
    .replaceAll(/href="\?[^"]*\btable=([\w-]+)"/g, 'href="$1.csv"')
    .replaceAll('href="/', `href="${origin}/`);
  const title = `Report of ${org}, ${utc(now)}`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<style>body{font:14px/1.5 sans-serif;max-width:70rem;margin:2rem auto}table{width:100%;border-collapse:collapse}th,td{padding:4px 8px;border-top:1px solid #ccc;text-align:left;vertical-align:top}svg{width:1em;height:1em}.rest,.copy{display:none}.meta span{margin-right:1em}</style>
</head>
<body>
<h1>${title}</h1>
${new Html(content)}
</body>
</html>
`;
  const entries = [
    textEntry({ name: "index.html", text: page.markup }),
    ...tables.map((each) => textEntry({ name: `${each.id}.csv`, text: each.csv() })),
  ];
  return {
    raw: {
      mediaType: "application/gzip",
      body: gzipTar(entries, new Date(0)),
      headers: { "content-disposition": 'attachment; filename="report.tar.gz"' },
    },
  };
}
