import { html } from "hono/html";
import {
  type Checklist,
  checklistOf,
  countsText,
  linesOf,
  type SlotState,
} from "../../../api/resources/checklist.ts";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import { definePage, type PageRequest } from "../page.ts";
import { checklistTable } from "../parts/checklist.ts";
import { numberedLines } from "../parts/code.ts";
import { commitFacts } from "../parts/commit.ts";
import { data } from "../parts/data.ts";
import { digest } from "../parts/digest.ts";
import { empty } from "../parts/empty.ts";
import { facts } from "../parts/facts.ts";
import { link, safeLink } from "../parts/link.ts";
import { originFacts } from "../parts/origin.ts";
import { shareForm } from "../parts/share-form.ts";
import { longText, text } from "../parts/text.ts";
import { time } from "../parts/time.ts";
import { verdict } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { timeline } from "./events.ts";
import { type Claim, recordsIn } from "./records.ts";
import { templateNow } from "./template-now.ts";

type Trail = AnsweredBy<"getTrail">;

/** A trail: its verdict and why, what it is asked for and has, and what happened to it. */
export const trailPage = definePage({
  path: "/:org/flows/:flow/trails/:trail",
  audience: "everybody",
  subject: ({ flow, trail }) => ({ kind: "trail", place: flow, name: trail }),
  async show(request) {
    const { params, ask, query, to, viewer } = request;
    const pathTo = (...steps: string[]) => to.page("flows", params.flow, "trails", params.trail, ...steps);
    // Answers of the interface name an attestation so.
    const asked = query.get("attestation_id");
    if (asked !== null) return { redirect: pathTo("attestations", asked) };
    const href = (attestationId: string) => pathTo("attestations", attestationId);
    const given = { flowName: params.flow, trailName: params.trail };
    const [trail, asksNow] = await Promise.all([
      ask("getTrail", given),
      // Who came by a link for this trail learns of nothing but of this trail.
      viewer.kind === "share" ? undefined : ask("getFlow", { flowName: params.flow }),
    ]);
    const { events = [] } = trail;
    const checklist = checklistOf(trail.complianceStatus);
    const records = recordsIn(events, checklist);
    const tables = checklist.parts.map((part, index) => {
      const { artifact } = part;
      const caption = `Attestations of the ${artifact === undefined ? "trail" : `artifact ${artifact.name}`}`;
      const shape = { id: `part-${index}`, caption, part };
      return checklistTable({ ...shape, href, recordsOf: (slot) => records.of(part, slot) }, request);
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
      above: [
        { name: "Flows", href: to.page("flows") },
        { name: trail.flow.name, href: to.page("flows", trail.flow.name) },
      ],
      main: html`<p class="lead">${verdict(trail.complianceState)} ${why(checklist)}</p>
${trail.description ? longText(trail.description) : ""}
${commitFacts(trail.gitCommitInfo)}
${facts([
  ["Begun by", text(trail.createdBy)],
  ["Begun", time(trail.createdAt)],
  ["Last changed", time(trail.lastModifiedAt)],
  ["Made at", trail.originUrl ? safeLink(trail.originUrl) : ""],
  ...originFacts(trail.origin, request),
  ["Links", externalLinks(trail)],
])}
<h2>Checklist</h2>
<p>${countsText(checklist.counts)}.</p>
${tables.length === 0 ? empty("Nothing is asked for, and nothing was recorded yet.", howTo) : checklist.parts.map((part, index) => partSection(part, tables[index]?.html ?? html``, request))}
${waiting(records.claims, href)}
<h2>What happened</h2>
${timeline(events, { flow: params.flow, trail: params.trail, to })}
${data("User data", trail.userData)}
${trail.template.content ? html`<details><summary>What is asked for, as it was written${trail.template.version === undefined ? "" : ` (template version ${trail.template.version})`}</summary>${numberedLines(trail.template.content)}</details>` : ""}
${templateNow(trail.template.content, asksNow?.template)}
<p class="unprinted">Print this page to file it: what is folded is printed too. Or <a href="${pathTo("audit-package")}">download all of it as an archive</a>, with every file and its sha256.</p>
${shareForm({ kind: "trail", place: params.flow, name: params.trail }, request)}`,
      tables,
      json: { operation: "getTrail", given },
      howTo,
    };
  },
});

function partSection(
  { artifact }: Checklist["parts"][number],
  table: Html,
  { params, to }: PageRequest,
): Html {
  if (artifact === undefined) return table;
  const { name, fingerprint, state, isUnexpected } = artifact;
  const flow = params["flow"] ?? "";
  const heading =
    fingerprint === undefined ? text(name) : link(to.page("flows", flow, "artifacts", fingerprint), name);
  return html`<section class="artifact"><h3>Artifact ${heading}</h3>
<p>${fingerprint === undefined ? "" : digest(fingerprint)} ${state === "missing" ? verdict("MISSING") : ""}${state === "failing" ? verdict("NON-COMPLIANT") : ""}${isUnexpected ? " Nobody asked for it." : ""}</p>
${table}</section>`;
}

/** Attestations that were made for artifacts by name count once the artifact is reported from that commit. */
function waiting(claims: readonly Claim[], href: (attestationId: string) => string): Html {
  if (claims.length === 0) return html``;
  return html`<section aria-labelledby="waiting"><h3 id="waiting">Waiting for their artifact</h3>
<ul>${claims.map(
    ({
      id,
      name,
      artifact,
      commit,
    }) => html`<li>${link(href(id), name)} waits for artifact ${text(artifact)} at commit ${digest(commit)}</li>
`,
  )}</ul></section>`;
}

/** The weightiest slots decide; a few of them are named. */
const NAMED = 5;

function why(checklist: Checklist): string {
  const lines = linesOf(checklist);
  const named = (wanted: SlotState) => lines.filter(({ state }) => state === wanted).map(({ name }) => name);
  const reasons = (["failing", "missing"] as const)
    .map((state) => ({ state, names: named(state) }))
    .filter(({ names }) => names.length > 0)
    .map(({ state, names }) => `${state}: ${namesOf(names)}`);
  if (reasons.length > 0) return reasons.join("; ");
  return checklist.counts.asked === 0
    ? "nothing is asked for"
    : "all that is asked for is there and compliant";
}

function namesOf(names: readonly string[]): string {
  const rest = names.length - NAMED;
  return names.slice(0, NAMED).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function firstMissing({ parts }: Checklist): string | undefined {
  return parts.flatMap(({ slots }) => slots).find(({ state }) => state === "missing")?.name;
}

function externalLinks({ externalUrls }: Trail): Html | undefined {
  const all = Object.entries(externalUrls ?? {});
  if (all.length === 0) return undefined;
  return html`<ul>${all.map(([label, { href }]) => html`<li>${safeLink(href, label)}</li>`)}</ul>`;
}
