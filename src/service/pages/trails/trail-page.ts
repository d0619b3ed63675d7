import { type Checklist, checklistOf, countsText, type Slot } from "../../../api/resources/checklist.ts";
import { summaryOf } from "../attestations/summary.ts";
import { definePage, type PageRequest } from "../page.ts";
import { download } from "../page-answer.ts";
import { data, empty, externalLinks, facts, numberedLines } from "../parts/blocks.ts";
import { shareForm } from "../parts/form.ts";
import {
  digest,
  firstLine,
  type Html,
  html,
  link,
  list,
  longText,
  plainList,
  safeLink,
  shortName,
  text,
} from "../parts/html.ts";
import { crumbs, environmentLink, linkIf } from "../parts/links.ts";
import { originFacts, signature } from "../parts/records.ts";
import { textDiff } from "../parts/text-diff.ts";
import { time } from "../parts/time.ts";
import { verdict } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { checklistTable } from "./checklist-table.ts";
import { type Claim, placesIn, recordsIn, timeline } from "./events.ts";
import { progress } from "./progress.ts";
import { trailBand } from "./trail-band.ts";

/** Number of newest attestations whose content the checklist shows. */
const NEWEST = 100;

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
    const attestations = pathTo("attestations");
    const href = (id: string) => `${attestations}/${encodeURIComponent(id)}`;
    const given = { flowName: params.flow, trailName: params.trail };
    const [trail, flowNow, { data: newest }] = await Promise.all([
      call("getTrail", given),
      // A share link for this trail shows nothing else.
      viewer.kind === "share" ? undefined : call("getFlow", { flowName: params.flow }),
      call("listAttestations", { flow: [params.flow], trail: params.trail, perPage: NEWEST }),
    ]);
    const { events = [], gitCommitInfo: commit } = trail;
    const checklist = checklistOf(trail.complianceStatus);
    const records = recordsIn(events, checklist);
    const summaries = new Map(newest.map((each) => [each.attestationId, summaryOf(each)]));
    const tables = checklist.parts.map((part, index) => {
      const { artifact } = part;
      const caption =
        artifact === undefined ? "Attestations of the trail" : `Attestations of ${artifact.name}`;
      const recordsOf = (slot: Slot) => records.of(part, slot);
      return checklistTable(request, { id: `part-${index}`, caption, part, href, recordsOf, summaries });
    });
    const howTo = {
      title: "Record an attestation in this trail",
      code: workflowStep(
        "attest",
        {
          flow: params.flow,
          trail: params.trail,
          name: firstMissing(checklist) ?? "review",
          compliant: "true",
        },
        request,
      ),
    };
    const subject = firstLine(commit?.message);
    const mayRecord = request.may("attestGeneric", { flowName: params.flow, trailName: params.trail });
    return {
      title: `Trail ${shortName(trail.name)}`,
      ...(subject === "" ? {} : { heading: text(subject) }),
      above: crumbs(to, "Flows", "flows", trail.flow.name),
      main: html`${trailBand({ trail, checklist, summaries, href }, request)}
${longText(trail.description)}
${progress(events, request)}
<div class="beside">
<div>
<h2>Checklist</h2>
<p>${countsText(checklist.counts)}.</p>
${tables.length === 0 ? empty("Nothing is required or recorded yet.", mayRecord ? howTo : undefined) : checklist.parts.map((part, index) => partSection(part, tables[index]?.html ?? html``, request))}
${waiting(records.claims, href)}
</div>
<div>
<h2>Details</h2>
${facts([
  ["Trail", shortName(trail.name) === trail.name ? text(trail.name) : digest(trail.name)],
  ["Commit", commit?.sha1 ? html`${digest(commit.sha1)} ${safeLink(commit.url, "View")}` : ""],
  ["Author", text(commit?.author)],
  ["Branch", commit?.branch ? text(commit.branch) : ""],
  ["Committed", commit?.timestamp ? time(commit.timestamp) : ""],
  ["Signature", signature(commit?.verified)],
  [
    "Runs in",
    plainList(
      placesIn(events).map((name) => environmentLink(name, request)(to.page("environments", name), name)),
    ),
  ],
  ["Started", html`${time(trail.createdAt)} by ${text(trail.createdBy)}`],
  ["Last changed", time(trail.lastModifiedAt)],
  ...originFacts(trail.origin, request),
  ["Links", externalLinks(trail.externalUrls)],
])}
</div>
</div>
<h2>Events</h2>
${timeline(events, href, request)}
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

function partSection(
  { artifact }: Checklist["parts"][number],
  table: Html,
  { params, to, mayOpen }: PageRequest,
) {
  if (artifact === undefined) return table;
  const { name, fingerprint, state, isUnexpected } = artifact;
  const flow = params["flow"] ?? "";
  const heading = linkIf(
    fingerprint !== undefined && mayOpen("getArtifact", { flowName: flow }),
    to.page("flows", flow, "artifacts", fingerprint ?? ""),
    name,
  );
  return html`<section class="artifact">
<h3>Artifact ${heading} ${fingerprint === undefined ? "" : digest(fingerprint)} ${state === "missing" ? verdict("MISSING") : ""}${state === "failing" ? verdict("NON-COMPLIANT") : ""}</h3>
${isUnexpected ? html`<p class="quiet">Not in the template.</p>` : ""}
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

function firstMissing({ parts }: Checklist): string | undefined {
  return parts.flatMap(({ slots }) => slots).find(({ state }) => state === "missing")?.name;
}

function templateDiff(ofTrail: string | null | undefined, ofFlow: unknown): Html {
  if (!ofTrail || typeof ofFlow !== "string" || ofTrail.trim() === ofFlow.trim()) return html``;
  return html`<details><summary>The flow's template has changed</summary>
<p>This trail keeps the template it started with. Lines with - are only in the trail's template, lines with + only in the flow's current template.</p>
${textDiff(ofTrail, ofFlow, { before: "this trail", after: "the flow" })}</details>`;
}
