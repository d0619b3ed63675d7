import { Refusal } from "../../kernel/errors.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { populationLink } from "../organization/population-page.ts";
import { definePage } from "../page.ts";
import { empty, facts, numberedLines, tags } from "../parts/blocks.ts";
import { filterBar, tagFilter, textFilter } from "../parts/filter-bar.ts";
import { confirmation, foldedForm, requireConfirmation, shareForm } from "../parts/form.ts";
import { type Html, html, link, longText, safeLink, visible } from "../parts/html.ts";
import { listed, pageNumberIn, ROWS, sortingIn } from "../parts/lists.ts";
import { type ListedTrail, trailTable } from "../parts/records.ts";
import { linkCell, table, tagsCell, timeCell, verdictCell } from "../parts/table.ts";
import { time } from "../parts/time.ts";
import { verdict } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { trailBar, trailsOf } from "./found-trails.ts";

export const flowsPage = definePage({
  path: "/:org/flows",
  audience: "everybody",
  async show(request) {
    const { call, query, to } = request;
    const howTo = {
      title: "Start a trail, which creates its flow if needed",
      code: workflowStep(
        "begin-trail",
        { flow: "web", trail: "${{ github.sha }}", visibility: "private" },
        request,
      ),
    };
    const sorting = sortingIn(["name", "latest_activity"], request);
    const filters = {
      name: textFilter("Part of the name"),
      tag: tagFilter(),
    };
    const bar = filterBar("Filter flows", filters, request);
    const found = await bar.find(async ({ name, tag }) => {
      const given = {
        ...(name === "" ? {} : { searchByName: name, caseSensitive: false }),
        ...(tag === "" ? {} : { tag: [tag] }),
        ...{ sort: sorting.sort, sortDirection: sorting.sortDirection },
        ...{ page: pageNumberIn(query), perPage: ROWS },
      };
      return { given, answer: await call("listFlows", given) };
    });
    if (found instanceof Refusal) return bar.refused({ title: "Flows" }, found);
    const list = listed(found.answer, request);
    const flows = table(request, {
      id: "flows",
      caption: "Flows",
      position: list.count,
      columns: {
        Name: {
          cell: (flow) => linkCell(to.page("flows", flow.name), flow.name),
          sorted: sorting.by("name"),
        },
        "Latest trail": (flow) => flow.latestState && verdictCell(flow.latestState),
        "Latest activity": {
          cell: (flow) => timeCell(flow.latestActivityAt),
          sorted: sorting.by("latest_activity"),
        },
        Description: (flow) => flow.description,
        Tags: (flow) => tagsCell(flow.tags),
      },
      rows: list.rows,
      empty: list.empty(bar.empty("flows", empty("No flows yet.", howTo))),
    });
    return {
      title: "Flows",
      main: html`${bar.html}
${flows.html}${list.pager}`,
      tables: [flows],
      json: { operation: "listFlows", given: found.given },
      howTo,
    };
  },
});

/** Number of latest trails in the pass rate and the list of branches. */
const RECENT = 30;

export const flowPage = definePage({
  path: "/:org/flows/:flow",
  audience: "everybody",
  async show(request) {
    const { params, call, may, to } = request;
    const [flow, recent] = await Promise.all([
      call("getFlow", { flowName: params.flow }),
      call("listFlowTrails", { flowName: params.flow, page: 1, perPage: RECENT }),
    ]);
    const title = `Flow ${flow.name}`;
    const above = [["Flows", to.page("flows")]] as const;
    const latest = "data" in recent ? recent.data : recent;
    const bar = trailBar(latest, request);
    const found = await bar.find((values) => trailsOf(flow.name, values, request));
    if (found instanceof Refusal) return bar.refused({ title, above }, found);
    const { list, json } = found;
    const branches = trailTable(request, {
      id: "branches",
      caption: `Latest trail of each branch, among the last ${latest.length} trails`,
      rows: latestOfBranches(latest),
      empty: "",
      isOfOneFlow: true,
    });
    const howTo = {
      title: "Start a trail of this flow",
      code: workflowStep("begin-trail", { flow: flow.name, trail: "${{ github.sha }}" }, request),
    };
    const trails = trailTable(request, {
      id: "trails",
      caption: "Trails, newest first",
      position: list.count,
      rows: list.rows,
      empty: list.empty(bar.empty("trails", empty("No trails yet.", howTo))),
      isOfOneFlow: true,
    });
    const archive = {
      act: "archive",
      content: html`<p>It accepts no new trails, artifacts or attestations. Its records stay readable.</p>
${confirmation(params.flow, request)}`,
      isDangerous: true as const,
      button: "Archive",
      label: "Archive this flow",
    };
    return {
      title,
      above,
      main: html`${lead(flow)}
${longText(flow.description)}
${facts([
  ["Visibility", flow.visibility],
  ["Repository", flow.repoUrl ? safeLink(flow.repoUrl) : ""],
  ["Tags", tags(flow.tags)],
  [
    "Deployments",
    may("listDeployments")
      ? link(`${to.page("deployments")}?flow=${encodeURIComponent(flow.name)}`, "All deployments")
      : "",
  ],
  ["Artifacts", link(to.page("flows", flow.name, "artifacts"), "All artifacts")],
  ["Audit", populationLink(request, "flow", flow.name)],
])}
${passRate(latest)}
${branches.count < 2 ? "" : html`<details><summary>Latest trail of each branch</summary>${branches.html}</details>`}
<h2>Trails</h2>
${bar.html}
${trails.html}${list.pager}
<h2>Template</h2>
<p>The requirements for each trail of this flow.</p>
${numberedLines(templateText(flow.template))}
${shareForm({ kind: "badge", place: flow.name }, request)}
${may("archiveFlow", { flowName: params.flow }) ? foldedForm("Archive this flow", archive, request) : ""}`,
      tables: [trails, branches],
      json,
      howTo,
    };
  },
  async act({ params, sent, call, to }) {
    requireConfirmation(sent, params.flow, "Type the name of the flow to archive it");
    await call("archiveFlow", { flowName: params.flow });
    return { redirect: to.page("flows") };
  },
});

function lead({ latestState, latestActivityAt, archived }: AnsweredBy<"getFlow">): Html {
  const isArchived = archived === true ? html` It is archived and accepts no new trails.` : "";
  if (!latestState) return html`<p class="lead">No trails yet.${isArchived}</p>`;
  return html`<p class="lead">${verdict(latestState)} Latest trail, changed ${time(latestActivityAt)}.${isArchived}</p>`;
}

function latestOfBranches(trails: readonly ListedTrail[]): readonly ListedTrail[] {
  const byBranch = Map.groupBy(trails, ({ gitCommitInfo }) => gitCommitInfo?.branch ?? "");
  byBranch.delete("");
  return [...byBranch.values()].flatMap(([latest]) => latest ?? []);
}

function templateText(template: unknown): string {
  return typeof template === "string" ? template : JSON.stringify(template, null, 2);
}

const WIDTH = 8;
const HEIGHT = 24;

const TONES = { COMPLIANT: "ok", "NON-COMPLIANT": "fail", INCOMPLETE: "warn" } as const;

/** Bars differ by height as well as by color. */
const HEIGHTS = { COMPLIANT: HEIGHT, INCOMPLETE: 14, "NON-COMPLIANT": 8 } as const;

function passRate(trails: readonly ListedTrail[]): Html {
  if (trails.length < 2) return html``;
  const compliant = trails.filter(({ complianceState }) => complianceState === "COMPLIANT").length;
  const sentence = `${compliant} of the last ${trails.length} trails are compliant`;
  return html`<figure class="chart"><svg width="${trails.length * WIDTH}" height="${HEIGHT}" role="img" aria-label="${sentence}, newest at the right, higher is better">${trails
    .toReversed()
    .map(
      ({ complianceState: state, name }, index) =>
        html`<rect class="${TONES[state]}" x="${index * WIDTH}" y="${HEIGHT - HEIGHTS[state]}" width="${WIDTH - 2}" height="${HEIGHTS[state]}"><title>${visible(name)}: ${state}</title></rect>`,
    )}</svg><figcaption>${sentence}.</figcaption></figure>`;
}
