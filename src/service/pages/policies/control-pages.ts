import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type PageRequest } from "../page.ts";
import { empty, externalLinks, facts, type HowTo, tags } from "../parts/blocks.ts";
import { choice, field, filter } from "../parts/form.ts";
import { type Html, html, link, list, longText, text } from "../parts/html.ts";
import { pageNumberIn, pagerOf, ROWS, sortingIn } from "../parts/lists.ts";
import { complianceCell, linkCell, type Table, table, tagsCell, timeCell, wordCell } from "../parts/table.ts";
import { time } from "../parts/time.ts";
import { complianceVerdict } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";

const CREATE = {
  title: "Create a control",
  code: `delivery-evidence call createControl --body - <<'END'
{ "identifier": "SDLC-7", "name": "Code is reviewed" }
END`,
};

export const controlsPage = definePage({
  path: "/:org/controls",
  audience: "everybody",
  async show(request) {
    const { call, query, to } = request;
    const search = query.get("search") ?? "";
    const sorting = sortingIn(["identifier"], request);
    const archived = query.get("archived") === "true";
    const given = {
      ...(search === "" ? {} : { search }),
      archived,
      sortDirection: sorting.sortDirection,
      page: pageNumberIn(query),
      perPage: ROWS,
    };
    const answer = await call("listControls", given);
    const controls = table(request, {
      id: "controls",
      caption: archived ? "Archived controls" : "Controls",
      columns: {
        Identifier: {
          cell: ({ identifier }) => linkCell(to.page("controls", identifier), identifier),
          sorted: sorting.by("identifier"),
        },
        Name: ({ name }) => name,
        Tags: (control) => tagsCell(control.tags),
        Version: { cell: ({ version }) => version, isNumber: true },
      },
      rows: answer.controls,
      empty: search === "" && !archived ? empty("No controls yet.", CREATE) : "No controls match.",
    });
    return {
      title: "Controls",
      main: html`${filter(
        html`${field({ name: "search", label: "Part of the identifier or the name", value: search })}
${choice({
  name: "archived",
  label: "Status",
  value: String(archived),
  options: [
    ["false", "Active"],
    ["true", "Archived"],
  ],
})}`,
        "Filter controls",
      )}${controls.html}${pagerOf(answer, request)}`,
      tables: [controls],
      json: { operation: "listControls", given },
      howTo: CREATE,
    };
  },
});

export const controlPage = definePage({
  path: "/:org/controls/:control",
  audience: "everybody",
  async show(request) {
    const { params, call, to, query } = request;
    const identifier = params.control;
    const isCompliant = { true: true, false: false }[query.get("compliant") ?? ""];
    const given = {
      identifier,
      ...(isCompliant === undefined ? {} : { isCompliant }),
      page: pageNumberIn(query),
    };
    const [control, versions, answer] = await Promise.all([
      call("getControl", { identifier }),
      call("listControlVersions", { identifier }),
      call("listControlDecisions", given),
    ]);
    const howTo = {
      title: "Record a decision about this control",
      code: workflowStep(
        "attest",
        { kind: "decision", flow: "web", trail: "${{ github.sha }}", name: "review", control: identifier },
        request,
      ),
    };
    const decisions = decisionTable(request, answer.decisions, howTo);
    const all = versionTable(request, Array.isArray(versions) ? versions : versions.versions);
    return {
      title: `Control ${control.identifier}`,
      above: [["Controls", to.page("controls")]],
      main: html`${lead(answer.decisions[0])}
<p><strong>${text(control.name)}</strong></p>
${longText(control.description)}
${facts([
  ["Version", control.version],
  ["Created by", text(control.createdBy)],
  ["Created", control.createdAt ? time(control.createdAt) : ""],
  ["Archived", control.archived ? "yes" : ""],
  ["Policies that require decisions", policies(control, to)],
  ["Links", externalLinks(control.links)],
  ["Tags", tags(control.tags)],
])}
<h2>Decisions</h2>
${filter(
  choice({
    name: "compliant",
    label: "Result",
    value: query.get("compliant") ?? "",
    options: [
      ["", "Any"],
      ["true", "Compliant"],
      ["false", "Non-compliant"],
    ],
  }),
  "Filter decisions",
)}
${decisions.html}${pagerOf(answer, request)}
<h2>Versions</h2>
${all.html}`,
      tables: [decisions, all],
      json: { operation: "listControlDecisions", given },
      howTo,
    };
  },
});

type Decision = AnsweredBy<"listControlDecisions">["decisions"][number];

function lead(latest: Decision | undefined): Html {
  if (latest === undefined) return html`<p class="lead">No decisions yet.</p>`;
  return html`<p class="lead">${complianceVerdict(latest.isCompliant)} Latest decision: ${time(latest.timestamp)}.</p>`;
}

function policies({ policiesReferencing }: AnsweredBy<"getControl">, to: PageRequest["to"]) {
  const names = (policiesReferencing ?? []).filter((name) => typeof name === "string");
  return list(names.map((name) => link(to.page("policies", name), name)));
}

function decisionTable(request: PageRequest, decisions: readonly Decision[], howTo: HowTo): Table {
  const { to } = request;
  return table(request, {
    id: "decisions",
    caption: "Decisions, newest first",
    columns: {
      Decided: ({ timestamp }) => timeCell(timestamp),
      Result: ({ isCompliant }) => complianceCell(isCompliant),
      Flow: ({ flowName }) => flowName,
      Trail: ({ flowName: flow, trailName: name }) =>
        flow && name ? linkCell(to.page("flows", flow, "trails", name), name) : { html: "", csv: name },
      Artifact: ({ flowName: flow, artifactFingerprint: fingerprint, artifactName: name }) => ({
        html:
          flow && fingerprint
            ? link(to.page("flows", flow, "artifacts", fingerprint), name ?? fingerprint)
            : text(name),
        csv: fingerprint,
      }),
      Description: ({ description }) => description,
      Version: { cell: ({ controlVersion }) => controlVersion, isNumber: true },
    },
    rows: decisions,
    empty: empty("No decisions match.", howTo),
  });
}

function versionTable(
  request: PageRequest,
  versions: Extract<AnsweredBy<"listControlVersions">, readonly unknown[]>,
): Table {
  return table(request, {
    id: "versions",
    caption: "Versions, newest first",
    columns: {
      Version: ({ version }) => version,
      Change: ({ status }) => status && wordCell(status),
      Name: ({ name }) => name,
      By: ({ createdBy }) => createdBy,
      When: ({ createdAt }) => timeCell(createdAt),
    },
    rows: versions,
    empty: "No versions.",
  });
}
