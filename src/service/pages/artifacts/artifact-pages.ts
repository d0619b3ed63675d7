import { failuresOf, flowsOf, isUnexpected } from "../../../api/resources/assert-failures.ts";
import type { Assertion } from "../../../api/resources/asserts.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type PageRequest } from "../page.ts";
import { data, externalLinks, facts } from "../parts/blocks.ts";
import {
  digest,
  firstLine,
  type Html,
  html,
  list,
  longText,
  safeLink,
  shortText,
  text,
} from "../parts/html.ts";
import { crumbs, linkCellFor, linkFor, linkIf } from "../parts/links.ts";
import { approvalTable, originFacts } from "../parts/records.ts";
import { type Table, table, verdictCell } from "../parts/table.ts";
import { time } from "../parts/time.ts";
import { verdict } from "../parts/verdict.ts";
import { workflowStep } from "../parts/workflow-step.ts";
import { assertBox, questionIn } from "./assert-box.ts";
import { attestationTable } from "./attestation-table.ts";
import { runTable } from "./runs.ts";

/** The most trails that are searched for a report. */
const TRAILS = 20;

type Artifact = AnsweredBy<"getArtifact">;
type Request = PageRequest<{ readonly org: string; readonly flow: string; readonly fingerprint: string }>;

export const artifactPage = definePage({
  path: "/:org/flows/:flow/artifacts/:fingerprint",
  audience: "everybody",
  subject: ({ flow, fingerprint }) => ({ kind: "artifact", place: flow, name: fingerprint }),
  async show(request) {
    const { params, call, to, viewer, query } = request;
    const { flow } = params;
    const prefix = params.fingerprint.toLowerCase();
    const trail = query.get("trail");
    const given = { flowName: flow, fingerprint: prefix, ...(trail ? { trail } : {}) };
    const latest = await call("getArtifact", given);
    const { fingerprint } = latest;
    // Redirects a fingerprint prefix to the full fingerprint.
    if (fingerprint !== prefix) return { redirect: to.page("flows", flow, "artifacts", fingerprint) };
    // A share link for this flow shows no other flow.
    const isShared = viewer.kind === "share";
    const [trails, assertion, approvals, box] = await Promise.all([
      call("listTrails", { flow, fingerprint, page: 1, perPage: TRAILS }),
      call("assertArtifact", { fingerprint, ...(isShared ? { flowName: flow } : {}) }),
      latest.approvals?.length ? call("listArtifactApprovals", { flowName: flow, fingerprint }) : [],
      isShared ? undefined : assertBox(fingerprint, request),
    ]);
    const artifact = await reportOf(request, latest, trails.data);
    const status = statusIn(trails.data, artifact);
    const here = flowsOf(assertion).find((each) => each.flow === flow);
    const attestations = attestationTable(request, {
      statuses: status ?? here?.complianceStatus?.attestationsStatuses ?? [],
      evidence: artifact.evidence ?? {},
      flow,
      trail: artifact.trailName ?? undefined,
    });
    const flows = flowVerdicts(assertion, request);
    const runs = runTable(artifact, request);
    const approved = approvalTable(request, {
      caption: "Approvals",
      flow,
      rows: approvals.toReversed(),
      empty: "No approvals.",
    });
    const state = artifact.state ?? "UNKNOWN";
    const reasons =
      here && artifact.id === latest.id ? reasonsOf(here, assertion).join("; ") : artifact.stateInfo;
    const reportId = query.get("artifact_id");
    const commit = artifact.gitCommitInfo;
    return {
      title: `Artifact ${artifact.filename}`,
      above: [...crumbs(to, "Flows", "flows", flow), ["Artifacts", to.page("flows", flow, "artifacts")]],
      main: html`<p class="lead">${verdict(state)} in ${text(flow)}: ${shortText(reasons)}</p>
${reportId !== null && reportId !== artifact.id ? html`<p>Your link is for an earlier report of this artifact. This page shows the latest one.</p>` : ""}
<p class="fingerprint">${digest(fingerprint)}</p>
${longText(artifact.description)}
${facts([
  ["Trail", trailLink(artifact, request)],
  ["Name in the template", artifact.templateReferenceName ? text(artifact.templateReferenceName) : ""],
  ["Reported", time(Number(artifact.createdAt))],
  ["Links", externalLinks(artifact.externalUrls)],
])}
<h2>Flows</h2>
${flows.html}
<h2>Origin</h2>
${facts([
  [
    "Commit",
    artifact.gitCommit ? html`${digest(artifact.gitCommit)} ${safeLink(artifact.commitUrl, "View")}` : "",
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
<h2>Environments</h2>
${runs.html}
<h2>Approvals</h2>
${approved.html}
${
  box === undefined
    ? ""
    : html`<h2>Check against an environment</h2>
${box}`
}
${data("Annotations", artifact.annotations)}
${data("User data", artifact.userData)}`,
      tables: [flows, attestations, runs, approved],
      json: { operation: "getArtifact", given: { ...given, fingerprint } },
      howTo: gate(fingerprint, request),
    };
  },
});

/** The report in the address if it is the latest of its trail, else the latest of all. */
async function reportOf(
  { query, call, params }: Request,
  latest: Artifact,
  trails: readonly { readonly name: string }[],
): Promise<Artifact> {
  const reportId = query.get("artifact_id");
  if (reportId === null || reportId === latest.id) return latest;
  for (const { name } of trails) {
    if (name === latest.trailName) continue;
    const { fingerprint } = latest;
    const report = await call("getArtifact", { flowName: params.flow, fingerprint, trail: name });
    if (report.id === reportId) return report;
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
  return linkFor(viewer)(to.page("flows", params.flow, "trails", trailName), trailName);
}

function repository({ repoInfo, repoUrl }: Artifact, { to, may, viewer }: Request): Html {
  if (!repoInfo) return safeLink(repoUrl);
  const isAllowed = may("getRepo") && viewer.kind !== "share";
  const name = linkIf(isAllowed, to.page("repos", ...repoInfo.name.split("/")), repoInfo.name);
  return html`${name} ${safeLink(repoInfo.url, "View")}`;
}

function gate(fingerprint: string, request: Request) {
  const { environment, policies } = questionIn(request.query);
  const by =
    environment !== ""
      ? { environment }
      : policies.length > 0
        ? { policies: policies.join(",") }
        : { flow: request.params.flow };
  return {
    title: "Block a deployment unless the artifact is compliant",
    code: workflowStep("assert-artifact", { fingerprint, ...by }, request),
  };
}

type FlowVerdict = ReturnType<typeof flowsOf>[number];

function flowVerdicts(assertion: Assertion, request: PageRequest): Table {
  const { to, viewer } = request;
  const linkTo = linkCellFor(viewer);
  const wordFor = ({ compliant, complianceStatus }: FlowVerdict) =>
    compliant ? "COMPLIANT" : complianceStatus?.status === "INCOMPLETE" ? "INCOMPLETE" : "NON-COMPLIANT";
  return table(request, {
    id: "flows",
    caption: "Status in each flow",
    columns: {
      Flow: ({ flow }) => flow && linkTo(to.page("flows", flow, "artifacts", assertion.fingerprint), flow),
      Trail: ({ flow, trail }) =>
        flow && trail
          ? linkTo(to.page("flows", flow, "trails", trail), trail)
          : { html: shortText(trail), csv: trail },
      Status: (each) => verdictCell(wordFor(each)),
      Why: (each) => {
        const reasons = reasonsOf(each, assertion);
        return { html: reasonList(reasons), csv: reasons.join("; ") };
      },
    },
    rows: flowsOf(assertion),
    empty: "Not in any flow.",
  });
}

function reasonsOf(verdictOfFlow: FlowVerdict, assertion: Assertion): string[] {
  const { compliant } = verdictOfFlow;
  const failures = failuresOf({ ...assertion, scope: "flow", compliant, flows: [verdictOfFlow] });
  const isUnnamed = isUnexpected(verdictOfFlow);
  if (isUnnamed && compliant) return ["nothing is required because the flow's template does not list it"];
  return [
    ...failures.map(({ text: reason }) => reason),
    ...(isUnnamed ? ["the flow's template does not list it"] : []),
    ...(compliant ? ["all requirements are met"] : []),
  ];
}

function reasonList(reasons: readonly string[]): Html | undefined {
  return reasons.length === 1 ? shortText(reasons[0]) : list(reasons.map(shortText));
}
