import { html } from "hono/html";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import { definePage, type PageRequest } from "../page.ts";
import { empty } from "../parts/empty.ts";
import { facts } from "../parts/facts.ts";
import { choice, filter } from "../parts/field.ts";
import { link, safeLink } from "../parts/link.ts";
import { pageNumberIn, pagerOf } from "../parts/listed.ts";
import { type Table, table } from "../parts/table.ts";
import { tags } from "../parts/tags.ts";
import { longText, text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { complianceVerdict } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";

/** A control: the decisions about it, its versions, and the policies that ask for decisions. */
export const controlPage = definePage({
  path: "/:org/controls/:control",
  audience: "everybody",
  async show(request) {
    const { params, ask, to, query } = request;
    const identifier = params.control;
    const asked = { true: true, false: false }[query.get("compliant") ?? ""];
    const given = {
      identifier,
      ...(asked === undefined ? {} : { isCompliant: asked }),
      page: pageNumberIn(query),
    };
    const [control, versions, answer] = await Promise.all([
      ask("getControl", { identifier }),
      ask("listControlVersions", { identifier }),
      ask("listControlDecisions", given),
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
    const all = versionTable(request, versions);
    return {
      title: `Control ${control.identifier}`,
      above: [{ name: "Controls", href: to.page("controls") }],
      main: html`${lead(answer.decisions[0])}
<p><strong>${text(control.name)}</strong></p>
${control.description ? longText(control.description) : ""}
${facts([
  ["Version", control.version],
  ["Made by", text(control.createdBy)],
  ["Made", control.createdAt ? time(control.createdAt) : ""],
  ["Archived", control.archived ? "yes" : ""],
  ["Policies that ask for decisions", policies(control, to)],
  ["Links", links(control.links)],
  ["Tags", tags(control.tags)],
])}
<h2>Decisions</h2>
${filter(
  choice({
    name: "compliant",
    label: "Verdict",
    value: query.get("compliant") ?? "",
    options: [
      ["", "Any"],
      ["true", "COMPLIANT"],
      ["false", "NON-COMPLIANT"],
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
  if (latest === undefined) return html`<p class="lead">Nothing was decided about it yet.</p>`;
  return html`<p class="lead">${complianceVerdict(latest.isCompliant)} was decided last, ${time(latest.timestamp)}.</p>`;
}

function policies(
  { policiesReferencing }: AnsweredBy<"getControl">,
  to: PageRequest["to"],
): Html | undefined {
  const names = (policiesReferencing ?? []).filter((name) => typeof name === "string");
  if (names.length === 0) return undefined;
  return html`<ul>${names.map((name) => html`<li>${link(to.page("policies", name), name)}</li>`)}</ul>`;
}

function links(byLabel: AnsweredBy<"getControl">["links"]): Html | undefined {
  const all = Object.entries(byLabel ?? {});
  if (all.length === 0) return undefined;
  return html`<ul>${all.map(([label, address]) => html`<li>${safeLink(String(address), label)}</li>`)}</ul>`;
}

function decisionTable(
  { to, here }: PageRequest,
  decisions: readonly Decision[],
  howTo: { title: string; code: string },
): Table {
  const trailOf = ({ flowName, trailName }: Decision) =>
    flowName && trailName
      ? { path: to.page("flows", flowName, "trails", trailName), name: trailName }
      : undefined;
  return table({
    id: "decisions",
    caption: "Decisions, the latest first",
    columns: [
      {
        head: "Decided",
        cell: ({ timestamp }) => time(timestamp),
        csv: ({ timestamp }) => utc(timestamp),
      },
      {
        head: "Verdict",
        cell: ({ isCompliant }) => complianceVerdict(isCompliant),
        csv: ({ isCompliant }) => (isCompliant ? "COMPLIANT" : "NON-COMPLIANT"),
      },
      { head: "Flow", cell: ({ flowName }) => text(flowName), csv: ({ flowName }) => flowName },
      {
        head: "Trail",
        cell: (decision) => {
          const trail = trailOf(decision);
          return trail && link(trail.path, trail.name);
        },
        csv: ({ trailName }) => trailName,
      },
      {
        head: "Artifact",
        cell: ({ flowName, artifactFingerprint, artifactName }) =>
          flowName && artifactFingerprint
            ? link(
                to.page("flows", flowName, "artifacts", artifactFingerprint),
                artifactName ?? artifactFingerprint,
              )
            : text(artifactName),
        csv: ({ artifactFingerprint }) => artifactFingerprint,
      },
      {
        head: "Description",
        cell: ({ description }) => text(description),
        csv: ({ description }) => description,
      },
      {
        head: "Version",
        cell: ({ controlVersion }) => controlVersion,
        csv: ({ controlVersion }) => controlVersion,
        isNumber: true,
      },
    ],
    rows: decisions,
    empty: empty("No decision is like that.", howTo),
    here,
  });
}

function versionTable({ here }: PageRequest, versions: AnsweredBy<"listControlVersions">): Table {
  return table({
    id: "versions",
    caption: "Versions, the latest first",
    columns: [
      { head: "Version", cell: ({ version }) => version, csv: ({ version }) => version },
      { head: "What was done", cell: ({ status }) => status, csv: ({ status }) => status },
      { head: "Name", cell: ({ name }) => text(name), csv: ({ name }) => name },
      { head: "By", cell: ({ createdBy }) => text(createdBy), csv: ({ createdBy }) => createdBy },
      {
        head: "When",
        cell: ({ createdAt }) => time(createdAt),
        csv: ({ createdAt }) => (createdAt === undefined ? null : utc(createdAt)),
      },
    ],
    rows: versions,
    empty: empty("There is no version."),
    here,
  });
}
