import { html } from "hono/html";
import { Invalid } from "../../kernel/errors.ts";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import { definePage, type PageRequest } from "../page.ts";
import { numberedLines } from "../parts/code.ts";
import { empty } from "../parts/empty.ts";
import { facts } from "../parts/facts.ts";
import { choice, field, filter } from "../parts/field.ts";
import { link, safeLink } from "../parts/link.ts";
import { listed, pageNumberIn, ROWS } from "../parts/listed.ts";
import { shareForm } from "../parts/share-form.ts";
import { tags } from "../parts/tags.ts";
import { longText } from "../parts/text.ts";
import { time } from "../parts/time.ts";
import { type ListedTrail, trailTable } from "../parts/trail-table.ts";
import { verdict } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { passRate } from "./pass-rate.ts";
import { STATES, stateIn } from "./states.ts";

/** Of how many trails the rate is, and the latest of each branch. */
const RECENT = 30;

/** A flow: how its latest trail stands, its trails, and what it asks of them. */
export const flowPage = definePage({
  path: "/:org/flows/:flow",
  audience: "everybody",
  async show(request) {
    const { params, ask, may, query, to } = request;
    const state = stateIn(query);
    const given = {
      flowName: params.flow,
      ...(state === undefined ? {} : { complianceState: state }),
      page: pageNumberIn(query),
      perPage: ROWS,
    };
    const [flow, answer, recent] = await Promise.all([
      ask("getFlow", { flowName: params.flow }),
      ask("listFlowTrails", given),
      ask("listFlowTrails", { flowName: params.flow, page: 1, perPage: RECENT }),
    ]);
    const latest = "data" in recent ? recent.data : recent;
    const branches = trailTable(
      {
        id: "branches",
        caption: `Latest of each branch, of the last ${latest.length} trails`,
        trails: latestOfBranches(latest),
        empty: html``,
        isOfOneFlow: true,
      },
      request,
    );
    const { rows, pager } = listed(answer, request);
    const howTo = {
      title: "Begin a trail of this flow",
      code: workflowStep("begin-trail", { flow: flow.name, trail: "${{ github.sha }}" }, request),
    };
    const trails = trailTable(
      {
        id: "trails",
        caption: "Trails",
        trails: rows,
        empty: state === undefined ? empty("There is no trail yet.", howTo) : empty(`No trail is ${state}.`),
        isOfOneFlow: true,
      },
      request,
    );
    const mayArchive = may("archiveFlow", { flowName: params.flow });
    return {
      title: `Flow ${flow.name}`,
      above: [{ name: "Flows", href: to.page("flows") }],
      main: html`${lead(flow)}
${flow.description === "" ? "" : longText(flow.description)}
${facts([
  ["Visibility", flow.visibility],
  ["Repository", flow.repoUrl ? safeLink(flow.repoUrl) : ""],
  ["Tags", tags(flow.tags)],
  ["Artifacts", link(to.page("flows", flow.name, "artifacts"), "All artifacts")],
])}
${passRate(latest)}
${branches.count < 2 ? "" : html`<details><summary>Latest of each branch</summary>${branches.html}</details>`}
<h2>Trails</h2>
${filter(choice({ name: "state", label: "State", value: state ?? "", options: STATES }), "Filter trails")}
${trails.html}${pager}
<h2>Template</h2>
<p>What each trail of this flow is asked for.</p>
${numberedLines(templateText(flow.template))}
${shareForm({ kind: "badge", place: flow.name }, request)}
${mayArchive ? archiveForm(request) : ""}`,
      tables: [trails, branches],
      json: { operation: "listFlowTrails", given },
      howTo,
    };
  },
  async act({ params, sent, ask, to }) {
    if (sent.get("confirm") !== params.flow) throw new Invalid("Type the name of the flow to archive it");
    await ask("archiveFlow", { flowName: params.flow });
    return { redirect: to.page("flows") };
  },
});

function lead({ latestState, latestActivityAt, archived }: AnsweredBy<"getFlow">): Html {
  const isArchived = archived === true ? html` It is archived, and takes no more trails.` : "";
  if (!latestState) return html`<p class="lead">No trail yet.${isArchived}</p>`;
  return html`<p class="lead">${verdict(latestState)} is the latest trail, changed ${time(latestActivityAt)}.${isArchived}</p>`;
}

/** The first of each branch; those without one are not of any. */
function latestOfBranches(trails: readonly ListedTrail[]): readonly ListedTrail[] {
  const byBranch = Map.groupBy(trails, ({ gitCommitInfo }) => gitCommitInfo?.branch ?? "");
  byBranch.delete("");
  return [...byBranch.values()].flatMap(([latest]) => latest ?? []);
}

function templateText(template: unknown): string {
  return typeof template === "string" ? template : JSON.stringify(template, null, 2);
}

function archiveForm({ params, form }: PageRequest<{ readonly flow: string }>): Html {
  return html`<details><summary>Archive this flow</summary>${form({
    content: html`<p>It takes no more trails, artifacts and attestations. What it holds can still be read.</p>
${field({ name: "confirm", label: `Type ${params.flow} to confirm`, isRequired: true })}
<p><button type="submit">Archive</button></p>`,
    label: "Archive this flow",
  })}</details>`;
}
