import {
  type Checklist,
  checklistOf,
  countsText,
  linesOf,
  type Slot,
  type SlotState,
} from "../../../api/resources/checklist.ts";
import { definePage, type PageRequest } from "../page.ts";
import { download } from "../page-answer.ts";
import { data, empty, externalLinks, facts, numberedLines } from "../parts/blocks.ts";
import { shareForm } from "../parts/form.ts";
import { digest, type Html, html, link, list, longText, safeLink, text, visible } from "../parts/html.ts";
import { crumbs } from "../parts/links.ts";
import { commitFacts, originFacts } from "../parts/records.ts";
import { time } from "../parts/time.ts";
import { verdict } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { checklistTable } from "./checklist-table.ts";
import { type Claim, recordsIn, timeline } from "./events.ts";

export const trailPage = definePage({
  path: "/:org/flows/:flow/trails/:trail",
  audience: "everybody",
  subject: ({ flow, trail }) => ({ kind: "trail", place: flow, name: trail }),
  async show(request) {
    const { params, call, query, to, viewer } = request;
    const pathTo = (...steps: string[]) => to.page("flows", params.flow, "trails", params.trail, ...steps);
    // API responses link to attestations with this parameter.
    const attestationId = query.get("attestation_id");
    if (attestationId !== null) return { redirect: pathTo("attestations", attestationId) };
    const href = (attestationId: string) => pathTo("attestations", attestationId);
    const given = { flowName: params.flow, trailName: params.trail };
    const [trail, flowNow] = await Promise.all([
      call("getTrail", given),
      // A share link for this trail shows nothing else.
      viewer.kind === "share" ? undefined : call("getFlow", { flowName: params.flow }),
    ]);
    const { events = [] } = trail;
    const checklist = checklistOf(trail.complianceStatus);
    const records = recordsIn(events, checklist);
    const tables = checklist.parts.map((part, index) => {
      const { artifact } = part;
      const caption = `Attestations of the ${artifact === undefined ? "trail" : `artifact ${artifact.name}`}`;
      const recordsOf = (slot: Slot) => records.of(part, slot);
      return checklistTable(request, { id: `part-${index}`, caption, part, href, recordsOf });
    });
    const howTo = {
      title: "Record an attestation in this trail",
      code: workflowStep(
        "attest",
        {
          flow: params.flow,
          trail: params.trail,
          name: firstMissing(checklist) ?? "review",
          kind: "generic",
        },
        request,
      ),
    };
    return {
      title: `Trail ${trail.name}`,
      above: crumbs(to, "Flows", "flows", trail.flow.name),
      main: html`<p class="lead">${verdict(trail.complianceState)} ${statusReasons(checklist)}</p>
${longText(trail.description)}
${commitFacts(trail.gitCommitInfo)}
${facts([
  ["Started by", text(trail.createdBy)],
  ["Started", time(trail.createdAt)],
  ["Last changed", time(trail.lastModifiedAt)],
  ["Run", trail.originUrl ? safeLink(trail.originUrl) : ""],
  ...originFacts(trail.origin, request),
  ["Links", externalLinks(trail.externalUrls)],
])}
<h2>Checklist</h2>
<p>${countsText(checklist.counts)}.</p>
${tables.length === 0 ? empty("Nothing is required or recorded yet.", howTo) : checklist.parts.map((part, index) => partSection(part, tables[index]?.html ?? html``, request))}
${waiting(records.claims, href)}
<h2>Events</h2>
${timeline(events, { flow: params.flow, trail: params.trail, to })}
${data("User data", trail.userData)}
${trail.template.content ? html`<details><summary>Template${trail.template.version === undefined ? "" : ` (version ${trail.template.version})`}</summary>${numberedLines(trail.template.content)}</details>` : ""}
${templateDiff(trail.template.content, flowNow?.template)}
<p class="unprinted">Print this page for your files. Collapsed sections are printed too. To get all records and files with their sha256, <a href="${pathTo("audit-package")}">download an archive</a>.</p>
${shareForm({ kind: "trail", place: params.flow, name: params.trail }, request)}`,
      tables,
      json: { operation: "getTrail", given },
      howTo,
    };
  },
});

export const trailAuditPackage = definePage({
  path: "/:org/flows/:flow/trails/:trail/audit-package",
  audience: "everybody",
  subject: ({ flow, trail }) => ({ kind: "trail", place: flow, name: trail }),
  show: async ({ params, call }) =>
    download(await call("getTrailAuditPackage", { flowName: params.flow, trailName: params.trail })),
});

function partSection({ artifact }: Checklist["parts"][number], table: Html, { params, to }: PageRequest) {
  if (artifact === undefined) return table;
  const { name, fingerprint, state, isUnexpected } = artifact;
  const flow = params["flow"] ?? "";
  const heading =
    fingerprint === undefined ? text(name) : link(to.page("flows", flow, "artifacts", fingerprint), name);
  return html`<section class="artifact"><h3>Artifact ${heading}</h3>
<p>${fingerprint === undefined ? "" : digest(fingerprint)} ${state === "missing" ? verdict("MISSING") : ""}${state === "failing" ? verdict("NON-COMPLIANT") : ""}${isUnexpected ? " Not in the template." : ""}</p>
${table}</section>`;
}

/** Lists attestations by artifact name. They count as soon as the artifact is reported from that commit. */
function waiting(claims: readonly Claim[], href: (attestationId: string) => string): Html {
  if (claims.length === 0) return html``;
  const items = claims.map(
    ({ id, name, artifact, commit }) =>
      html`${link(href(id), name)} waits for artifact ${text(artifact)} at commit ${digest(commit)}`,
  );
  return html`<section aria-labelledby="waiting"><h3 id="waiting">Waiting for an artifact</h3>
${list(items)}</section>`;
}

/** Maximum number of reasons to list. */
const MAX_REASONS = 5;

function statusReasons(checklist: Checklist): string {
  const lines = linesOf(checklist);
  const named = (wanted: SlotState) => lines.filter(({ state }) => state === wanted).map(({ name }) => name);
  const reasons = (["failing", "missing"] as const)
    .map((state) => ({ state, names: named(state) }))
    .filter(({ names }) => names.length > 0)
    .map(({ state, names }) => `${state}: ${namesOf(names)}`);
  if (reasons.length > 0) return reasons.join("; ");
  return checklist.counts.required === 0 ? "nothing is required" : "all requirements are met";
}

function namesOf(names: readonly string[]): string {
  const rest = names.length - MAX_REASONS;
  return names.slice(0, MAX_REASONS).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function firstMissing({ parts }: Checklist): string | undefined {
  return parts.flatMap(({ slots }) => slots).find(({ state }) => state === "missing")?.name;
}

const SIGNS: Readonly<Record<Line["side"], string>> = { both: " ", before: "-", after: "+" };
const WORDS: Readonly<Record<Line["side"], string>> = {
  both: "",
  before: "only in this trail: ",
  after: "only in the flow: ",
};

function templateDiff(ofTrail: string | null | undefined, ofFlow: unknown): Html {
  if (!ofTrail || typeof ofFlow !== "string" || ofTrail.trim() === ofFlow.trim()) return html``;
  return html`<details><summary>The flow's template has changed</summary>
<p>This trail keeps the template it started with. Lines with - are only in the trail's template, lines with + only in the flow's current template.</p>
<pre class="diff" tabindex="0">${lineDiff(ofTrail.trim(), ofFlow.trim()).map(
    ({
      side,
      line,
    }) => html`<span class="${side}"><span aria-hidden="true">${SIGNS[side]} </span><span class="unseen">${WORDS[side]}</span>${visible(line)}
</span>`,
  )}</pre></details>`;
}

interface Line {
  readonly side: "both" | "before" | "after";
  readonly line: string;
}

/** Maximum number of lines to align. Longer texts are shown one after the other. */
const MAX_ALIGNED_LINES = 500;

/** Line diff of two texts, by their longest common subsequence. */
function lineDiff(before: string, after: string): Line[] {
  const [left, right] = [before.split("\n"), after.split("\n")];
  const isLong = left.length > MAX_ALIGNED_LINES || right.length > MAX_ALIGNED_LINES;
  const common = isLong ? () => 0 : commonLines(left, right);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < left.length || j < right.length) {
    const [one, other] = [left[i], right[j]];
    if (one !== undefined && one === other && !isLong) {
      lines.push({ side: "both", line: one });
      i += 1;
      j += 1;
    } else if (one !== undefined && (other === undefined || common(i + 1, j) >= common(i, j + 1))) {
      lines.push({ side: "before", line: one });
      i += 1;
    } else if (other !== undefined) {
      lines.push({ side: "after", line: other });
      j += 1;
    }
  }
  return lines;
}

/** Lengths of the longest common subsequence from each pair of lines to the ends of the texts. */
function commonLines(left: readonly string[], right: readonly string[]) {
  const width = right.length + 1;
  const counts = new Uint16Array((left.length + 1) * width);
  const at = (i: number, j: number) => counts[i * width + j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--) {
    for (let j = right.length - 1; j >= 0; j--) {
      counts[i * width + j] =
        left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  return at;
}
