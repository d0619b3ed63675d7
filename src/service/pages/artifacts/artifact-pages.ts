import { html } from "hono/html";
import { flowsOf } from "../../../api/resources/assert-failures.ts";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import { definePage, type PageRequest } from "../page.ts";
import { approvalTable } from "../parts/approval-table.ts";
import { data } from "../parts/data.ts";
import { digest } from "../parts/digest.ts";
import { empty } from "../parts/empty.ts";
import { facts } from "../parts/facts.ts";
import { firstLine } from "../parts/first-line.ts";
import { leads } from "../parts/leads.ts";
import { safeLink } from "../parts/link.ts";
import { originFacts } from "../parts/origin.ts";
import { longText, text } from "../parts/text.ts";
import { time } from "../parts/time.ts";
import { verdict } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { assertBox, questionIn } from "./assert-box.ts";
import { attestationTable } from "./attestation-table.ts";
import { flowVerdicts, whyOf } from "./flow-verdicts.ts";
import { runTable } from "./run-table.ts";

/** Trails that an artifact was reported to, of which one may be meant. */
const TRAILS = 20;

type Artifact = AnsweredBy<"getArtifact">;
type Request = PageRequest<{ readonly org: string; readonly flow: string; readonly fingerprint: string }>;

/** An artifact of a flow: its verdicts and why, where it comes from, and where it runs. */
export const artifactPage = definePage({
  path: "/:org/flows/:flow/artifacts/:fingerprint",
  audience: "everybody",
  subject: ({ flow, fingerprint }) => ({ kind: "artifact", place: flow, name: fingerprint }),
  async show(request) {
    const { params, ask, to, viewer, query } = request;
    const { flow } = params;
    const prefix = params.fingerprint.toLowerCase();
    const trail = query.get("trail");
    const given = { flowName: flow, fingerprint: prefix, ...(trail ? { trail } : {}) };
    const latest = await ask("getArtifact", given);
    const { fingerprint } = latest;
    // The start of a fingerprint leads to all of it.
    if (fingerprint !== prefix) return { redirect: to.page("flows", flow, "artifacts", fingerprint) };
    // Who came by a link for this flow learns nothing of the others.
    const isShared = viewer.kind === "share";
    const [trails, assertion, approvals, box] = await Promise.all([
      ask("listTrails", { flow, fingerprint, page: 1, perPage: TRAILS }),
      ask("assertArtifact", { fingerprint, ...(isShared ? { flowName: flow } : {}) }),
      latest.approvals?.length ? ask("listArtifactApprovals", { flowName: flow, fingerprint }) : [],
      isShared ? undefined : assertBox(fingerprint, request),
    ]);
    const artifact = await reportOf(request, latest, trails.data);
    const status = statusIn(trails.data, artifact);
    const here = flowsOf(assertion).find((each) => each.flow === flow);
    const attestations = attestationTable(
      {
        statuses: status ?? here?.complianceStatus?.attestationsStatuses ?? [],
        evidence: artifact.evidence ?? {},
        flow,
        trail: artifact.trailName ?? undefined,
      },
      request,
    );
    const flows = flowVerdicts(assertion, request);
    const runs = runTable(artifact, request);
    const approved = approvalTable(
      { caption: "Approvals", flow, approvals: approvals.toReversed(), empty: empty("Nobody approved it.") },
      request,
    );
    const state = artifact.state ?? "UNKNOWN";
    const reasons =
      here && artifact.id === latest.id ? whyOf(here, assertion).join("; ") : artifact.stateInfo;
    const asked = query.get("artifact_id");
    const commit = artifact.gitCommitInfo;
    return {
      title: `Artifact ${artifact.filename}`,
      above: [
        { name: "Flows", href: to.page("flows") },
        { name: flow, href: to.page("flows", flow) },
        { name: "Artifacts", href: to.page("flows", flow, "artifacts") },
      ],
      main: html`<p class="lead">${verdict(state)} in ${text(flow)}: ${text(reasons)}</p>
${asked !== null && asked !== artifact.id ? html`<p>The link here is for an earlier report of the artifact. What you see is its latest one.</p>` : ""}
<p class="fingerprint">${digest(fingerprint)}</p>
${artifact.description ? longText(artifact.description) : ""}
${facts([
  ["Trail", trailLink(artifact, request)],
  ["Name in the template", artifact.templateReferenceName ? text(artifact.templateReferenceName) : ""],
  ["Reported", time(Number(artifact.createdAt))],
  ["Links", externalLinks(artifact)],
])}
<h2>In its flows</h2>
${flows.html}
<h2>Where it comes from</h2>
${facts([
  [
    "Commit",
    artifact.gitCommit ? html`${digest(artifact.gitCommit)} ${safeLink(artifact.commitUrl, "View it")}` : "",
  ],
  ["Message", commit?.message ? text(firstLine(commit.message)) : ""],
  ["Author", commit?.author ? text(commit.author) : ""],
  ["Branch", commit?.branch ? text(commit.branch) : ""],
  ["Build", artifact.buildUrl ? safeLink(artifact.buildUrl) : ""],
  ["Repository", repository(artifact, request)],
  ...originFacts(artifact.origin, request),
  ["Spooled by", artifact.spooledBy ? text(artifact.spooledBy) : ""],
])}
<h2>Attestations</h2>
${attestations.html}
<h2>Where it runs</h2>
${runs.html}
<h2>Approvals</h2>
${approved.html}
${
  box === undefined
    ? ""
    : html`<h2>May it go there?</h2>
${box}`
}
${data("Annotations", filled(artifact.annotations))}
${data("User data", artifact.userData)}`,
      tables: [flows, attestations, runs, approved],
      json: { operation: "getArtifact", given: { ...given, fingerprint } },
      howTo: gate(fingerprint, request),
    };
  },
});

/** The report that the address names, where it is the last one to one of the trails; else the latest. */
async function reportOf(
  { query, ask, params }: Request,
  latest: Artifact,
  trails: readonly { readonly name: string }[],
): Promise<Artifact> {
  const asked = query.get("artifact_id");
  if (asked === null || asked === latest.id) return latest;
  for (const { name } of trails) {
    if (name === latest.trailName) continue;
    const { fingerprint } = latest;
    const report = await ask("getArtifact", { flowName: params.flow, fingerprint, trail: name });
    if (report.id === asked) return report;
  }
  return latest;
}

function statusIn(
  trails: Extract<AnsweredBy<"listTrails">, { data: unknown }>["data"],
  { trailName, fingerprint }: Artifact,
) {
  const statuses = trails.find(({ name }) => name === trailName)?.complianceStatus.artifactsStatuses ?? {};
  return Object.values(statuses).find(({ artifactFingerprint }) => artifactFingerprint === fingerprint)
    ?.attestationsStatuses;
}

function trailLink({ trailName }: Artifact, { to, viewer, params }: Request): Html | undefined {
  if (!trailName) return undefined;
  return leads(viewer)(to.page("flows", params.flow, "trails", trailName), trailName);
}

function repository({ repoInfo, repoUrl }: Artifact, { to, may, viewer }: Request): Html {
  if (!repoInfo) return safeLink(repoUrl);
  const name = may("getRepo")
    ? leads(viewer)(to.page("repos", ...repoInfo.name.split("/")), repoInfo.name)
    : text(repoInfo.name);
  return html`${name} ${safeLink(repoInfo.url, "View it")}`;
}

function externalLinks({ externalUrls }: Artifact): Html | undefined {
  const all = Object.entries(externalUrls ?? {});
  if (all.length === 0) return undefined;
  return html`<ul>${all.map(
    ([label, value]) => html`<li>${safeLink(typeof value === "string" ? value : value.href, label)}</li>`,
  )}</ul>`;
}

function filled(annotations: Artifact["annotations"]) {
  return annotations && Object.keys(annotations).length > 0 ? annotations : undefined;
}

/** The step that asks what the form on the page asks. */
function gate(fingerprint: string, request: Request) {
  const { environment, policies } = questionIn(request.query);
  const by =
    environment !== ""
      ? { environment }
      : policies.length > 0
        ? { policies: policies.join(",") }
        : { flow: request.params.flow };
  return {
    title: "Let a deployment go on only when the artifact is compliant",
    code: workflowStep("assert-artifact", { fingerprint, ...by }, request),
  };
}
