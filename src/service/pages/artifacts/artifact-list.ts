import { Refusal } from "../../kernel/errors.ts";
import { definePage, type PageRequest } from "../page.ts";
import { empty } from "../parts/blocks.ts";
import { choiceFilter, filterBar, periodFilter } from "../parts/filter-bar.ts";
import { html } from "../parts/html.ts";
import { environmentNames } from "../parts/known-names.ts";
import { crumbs } from "../parts/links.ts";
import { numberedPage, pageNumberIn, ROWS } from "../parts/lists.ts";
import {
  type FoundRecords,
  type RecordFilter,
  STATES,
  searchFilters,
  searchPage,
  stateOf,
} from "../parts/record-search.ts";
import { artifactTable, type ShownArtifact } from "../parts/records.ts";
import { workflowStep } from "../parts/workflow-step.ts";

/** Number of latest trails whose branches and authors are offered. */
const LATEST = 30;

export const artifactsPage = definePage({
  path: "/:org/flows/:flow/artifacts",
  audience: "everybody",
  async show(request) {
    const { params, call, to } = request;
    const [{ name: flow }, environments, latest] = await Promise.all([
      call("getFlow", { flowName: params.flow }),
      environmentNames(request),
      call("listFlowTrails", { flowName: params.flow, page: 1, perPage: LATEST }),
    ]);
    const { branch, author, text } = searchFilters("data" in latest ? latest.data : latest);
    const filters = {
      state: choiceFilter("State", STATES),
      ...{ branch, author },
      env: choiceFilter("Runs in", environments),
      text,
      period: periodFilter(),
    };
    const title = `Artifacts of ${flow}`;
    const above = crumbs(to, "Flows", "flows", flow);
    const bar = filterBar("Filter artifacts", filters, request);
    const found = await bar.find((values) => artifactsOf(flow, values, request));
    if (found instanceof Refusal) return bar.refused({ title, above }, found);
    const { list, json } = found;
    const howTo = {
      title: "Report an artifact",
      code: workflowStep(
        "attest",
        { kind: "artifact", name: "app", flow, trail: "${{ github.sha }}", artifact: "dist/app.tgz" },
        request,
      ),
    };
    const artifacts = artifactTable(request, {
      caption: "Artifacts, newest first",
      position: list.count,
      rows: list.rows,
      empty: list.empty(bar.empty("artifacts", empty("No artifacts reported in this flow yet.", howTo))),
    });
    return {
      title,
      above,
      main: html`${bar.html}
${artifacts.html}${list.pager}`,
      tables: [artifacts],
      json,
      howTo,
    };
  },
});

/** A page of the artifacts of a flow, newest first. Only the search has filters. */
async function artifactsOf(
  flow: string,
  wanted: Omit<RecordFilter, "flow">,
  request: PageRequest,
): Promise<FoundRecords<ShownArtifact>> {
  const { call, query } = request;
  const { state, branch, author, env = "", text, period } = wanted;
  if (state + branch + author + env + text === "" && period.preset === "any") {
    const given = { flowName: flow, page: pageNumberIn(query), perPage: ROWS };
    const rows = await call("listArtifacts", given);
    const list = numberedPage(rows, { ...given, hasMore: rows.length === ROWS }, request);
    return { list, json: { operation: "listArtifacts", given } };
  }
  return searchPage(
    "artifact",
    { flow, ...wanted },
    (found): ShownArtifact => ({
      filename: found.name,
      fingerprint: found.fingerprint ?? "",
      htmlUrl: found.htmlUrl,
      state: stateOf(found),
      trailName: found.trail ?? null,
      gitCommit: found.commit ?? null,
      gitCommitInfo: { message: found.subject },
      createdAt: found.time,
    }),
    request,
  );
}
