import { attestationName } from "../../../api/names.ts";
import { Refusal } from "../../kernel/errors.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { populationLink } from "../organization/population-page.ts";
import { definePage, type PageRequest } from "../page.ts";
import { empty, externalLinks, facts, type HowTo, tags } from "../parts/blocks.ts";
import { choiceFilter, filterBar, periodFilter, tagFilter, textFilter } from "../parts/filter-bar.ts";
import { choice, foldedForm } from "../parts/form.ts";
import { type Html, html, link, list, longText, text } from "../parts/html.ts";
import { flowNames } from "../parts/known-names.ts";
import { linkIf } from "../parts/links.ts";
import { countedPage, pageNumberIn, ROWS, sortingIn } from "../parts/lists.ts";
import { lastMoment } from "../parts/period.ts";
import {
  complianceCell,
  linkCell,
  type Sorted,
  type Table,
  type TableShape,
  table,
  tagsCell,
  timeCell,
  wordCell,
} from "../parts/table.ts";
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
    const { call, mayOpen, query, to } = request;
    const sorting = sortingIn(["identifier"], request);
    const filters = {
      text: textFilter("Part of the identifier or the name"),
      tag: tagFilter(),
      status: choiceFilter("Status", [["archived", "Archived"]], { nothing: "Active" }),
    };
    const bar = filterBar("Filter controls", filters, request);
    const found = await bar.find(async ({ text: search, tag, status }) => {
      const given = {
        ...(search === "" ? {} : { search }),
        ...(tag === "" ? {} : { tag: [tag] }),
        ...{ archived: status === "archived", sortDirection: sorting.sortDirection },
        ...{ page: pageNumberIn(query), perPage: ROWS },
      };
      return { given, answer: await call("listControls", given) };
    });
    if (found instanceof Refusal) return bar.refused({ title: "Controls" }, found);
    const { given, answer } = found;
    const list = countedPage(answer.controls, answer, request);
    const controls = table(request, {
      id: "controls",
      caption: given.archived ? "Archived controls" : "Controls",
      position: list.count,
      columns: {
        Identifier: {
          cell: ({ identifier }) => linkCell(to.page("controls", identifier), identifier),
          sorted: sorting.by("identifier"),
        },
        Name: ({ name }) => name,
        Tags: (control) => tagsCell(control.tags),
        Version: { cell: ({ version }) => version, isNumber: true },
      },
      rows: list.rows,
      empty: list.empty(bar.empty("controls", empty("No controls yet.", CREATE))),
    });
    return {
      title: "Controls",
      main: html`<p>${linkIf(mayOpen("getTrends"), to.page("frameworks"), "Frameworks")} show how far decisions cover published requirements.</p>
${bar.html}
${controls.html}${list.pager}`,
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
    const [control, versions, latest, flows] = await Promise.all([
      call("getControl", { identifier }),
      call("listControlVersions", { identifier }),
      call("listControlDecisions", { identifier, perPage: 1 }),
      flowNames(request),
    ]);
    const title = `Control ${control.identifier}`;
    const above = [["Controls", to.page("controls")]] as const;
    const sorting = sortingIn(["timestamp"], request, "desc");
    const filters = {
      result: choiceFilter("Result", RESULTS),
      flow: choiceFilter("Flow", flows),
      period: periodFilter(),
    };
    const bar = filterBar("Filter decisions", filters, request);
    const found = await bar.find(async ({ result, flow, period: { start, end } }) => {
      const given = {
        identifier,
        ...(result === "" ? {} : { isCompliant: result === "true" }),
        ...(flow === "" ? {} : { flowId: [flow] }),
        ...(start === undefined ? {} : { fromTimestamp: start }),
        ...(end === undefined ? {} : { toTimestamp: lastMoment(end) }),
        ...{ sortDirection: sorting.sortDirection, page: pageNumberIn(query), perPage: ROWS },
      };
      return { given, answer: await call("listControlDecisions", given) };
    });
    if (found instanceof Refusal) return bar.refused({ title, above }, found);
    const { given, answer } = found;
    const howTo = howToDecide(control, request);
    const list = countedPage(answer.decisions, answer, request);
    const decisions = decisionTable(request, {
      rows: list.rows,
      position: list.count,
      empty: list.empty(bar.empty("decisions", empty("No decisions yet.", howTo))),
      sorted: sorting.by("timestamp"),
    });
    const all = versionTable(request, Array.isArray(versions) ? versions : versions.versions);
    return {
      title,
      above,
      main: html`${lead(latest.decisions[0])}
<p><strong>${text(control.name)}</strong></p>
${longText(control.description)}
${facts([
  ["Version", control.version],
  ["Created by", text(control.createdBy)],
  ["Created", control.createdAt ? time(control.createdAt) : ""],
  ["Archived", control.archived ? "yes" : ""],
  ["Audit", populationLink(request, "control", control.identifier)],
  ["Decision policy", decisionPolicy(control, request)],
  ["Policies that require decisions", policies(control, to)],
  ["Links", externalLinks(control.links)],
  ["Tags", tags(control.tags)],
])}
<h2>Decisions</h2>
${bar.html}
${decisions.html}${list.pager}
<h2>Versions</h2>
${all.html}${await bindingForm(control, request)}`,
      tables: [decisions, all],
      json: { operation: "listControlDecisions", given },
      howTo,
    };
  },
  async act({ call, params, sent, to }) {
    const decisionPolicy = sent.get("decision_policy") || null;
    await call("updateControl", { identifier: params.control, body: { decisionPolicy } });
    return { redirect: to.page("controls", params.control) };
  },
});

type Control = AnsweredBy<"getControl">;

function howToDecide({ identifier, decisionPolicy: bound }: Control, request: PageRequest): HowTo {
  const trail = "${{ github.sha }}";
  const code = bound
    ? workflowStep(
        "evaluate",
        {
          ...{ "run-on": "service", "policy-id": bound, trails: `web/${trail}`, control: identifier },
          ...(isDefaultNamed(identifier) ? {} : { name: "decision" }),
        },
        request,
      )
    : workflowStep(
        "attest",
        { kind: "decision", flow: "web", trail, name: "review", control: identifier },
        request,
      );
  return { title: "Record a decision about this control", code };
}

/** Whether the decision about the control needs no name of its own. */
function isDefaultNamed(control: string): boolean {
  return attestationName.safeParse(`${control}-decision`).success;
}

function decisionPolicy({ decisionPolicy: bound }: Control, { mayOpen, to }: PageRequest): Html | string {
  if (!bound) return "";
  return html`${linkIf(mayOpen("getDecisionPolicy"), to.page("decision-policies", bound), bound)}, which alone decides about it`;
}

async function bindingForm({ decisionPolicy: bound }: Control, request: PageRequest): Promise<Html> {
  const { call, may } = request;
  if (!may("updateControl")) return html``;
  const listed = (await call("listDecisionPolicies", {})).map((policy) => policy.identifier);
  // The control may be bound to an archived policy, which is not listed.
  const names = [...new Set([...(bound ? [bound] : []), ...listed])].sort();
  return html`
<h2>Actions</h2>
${foldedForm(
  "Bind to a decision policy",
  {
    act: "bind",
    content: html`<p>A bound control accepts only decisions that the service evaluates by the latest version of the policy.</p>
${choice(
  {
    name: "decision_policy",
    label: "Decision policy",
    value: bound ?? "",
    options: [["", "None: every decision counts"], ...names],
  },
  request,
)}`,
    button: "Save",
    label: "Bind to a decision policy",
  },
  request,
)}`;
}

type Decision = AnsweredBy<"listControlDecisions">["decisions"][number];

function lead(latest: Decision | undefined): Html {
  if (latest === undefined) return html`<p class="lead">No decisions yet.</p>`;
  return html`<p class="lead">${complianceVerdict(latest.isCompliant)} Latest decision: ${time(latest.timestamp)}.</p>`;
}

function policies({ policiesReferencing }: AnsweredBy<"getControl">, to: PageRequest["to"]) {
  const names = (policiesReferencing ?? []).filter((name) => typeof name === "string");
  return list(names.map((name) => link(to.page("policies", name), name)));
}

const RESULTS = [
  ["true", "Compliant"],
  ["false", "Non-compliant"],
] as const;

interface DecisionTable extends Pick<TableShape<Decision>, "rows" | "position" | "empty"> {
  readonly sorted: Sorted;
}

function decisionTable(request: PageRequest, { sorted, ...shape }: DecisionTable): Table {
  const { to } = request;
  return table<Decision>(request, {
    ...shape,
    id: "decisions",
    caption: "Decisions",
    columns: {
      Decided: { cell: ({ timestamp }) => timeCell(timestamp), sorted },
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
