import type { Deployment } from "../../../api/resources/deployments.ts";
import type { PageRequest } from "../page.ts";
import { type Html, html, row, safeLink, text } from "../parts/html.ts";
import { serviceIn } from "../parts/image-name.ts";
import { environmentLink, linkIf } from "../parts/links.ts";
import { complianceCell, type Table, type TableShape, table, timeCell } from "../parts/table.ts";
import { duration, shortTime } from "../parts/time.ts";
import { approvalsOf, reviewOf } from "./answers.ts";

/** Deployments, one row for each change of a service in an environment. */
export function deploymentTable(
  request: PageRequest,
  shape: Omit<TableShape<Deployment>, "columns" | "isOfRows">,
): Table {
  return table<Deployment>(request, {
    ...shape,
    isOfRows: true,
    columns: {
      Artifact: (each) => ({ html: deploymentRow(each, request), csv: each.artifactName }),
      Result: ({ isCompliant }) => complianceCell(isCompliant),
      Environment: { cell: ({ environmentName }) => environmentName, isForCsv: true },
      Fingerprint: { cell: ({ fingerprint }) => fingerprint, isForCsv: true },
      Commit: { cell: ({ gitCommit }) => gitCommit, isForCsv: true },
      Replaced: { cell: ({ replaced }) => replaced?.previousArtifactName, isForCsv: true },
      Flow: { cell: ({ flowName }) => flowName, isForCsv: true },
      Trail: { cell: ({ trailName }) => trailName, isForCsv: true },
      Review: { cell: ({ review }) => review, isForCsv: true },
      "Reviewed by": { cell: ({ reviewedBy }) => reviewedBy.join(" "), isForCsv: true },
      "Approved by": { cell: ({ approvedBy }) => approvedBy.join(" "), isForCsv: true },
      "Lead time in seconds": { cell: ({ leadTimeSeconds }) => leadTimeSeconds, isForCsv: true },
      Deployed: { cell: ({ deployedAt }) => timeCell(deployedAt), isForCsv: true },
      Snapshot: { cell: ({ snapshotIndex }) => snapshotIndex, isForCsv: true },
    },
  });
}

/** The service with its versions before and after, and below them who answers for it. */
function deploymentRow(deployment: Deployment, request: PageRequest): Html {
  const { to, mayOpen } = request;
  const { artifactName, environmentName, fingerprint, flowName, trailName, replaced } = deployment;
  const { service, version } = serviceIn(artifactName);
  const isAllowed = flowName !== null && flowName !== undefined && mayOpen("getFlow", { flowName });
  const before = replaced?.previousArtifactName ? serviceIn(replaced.previousArtifactName).version : "";
  const steps = trailName ? ["trails", trailName] : ["artifacts", fingerprint];
  const versions = html` <span class="quiet">${before === "" ? "" : html`${text(before)} → `}${text(version)}</span>`;
  const title = html`${linkIf(isAllowed, to.page("flows", flowName ?? "", ...steps), service)}${version === "" ? "" : versions}`;
  const snapshot = to.page("environments", environmentName, "snapshots", deployment.snapshotIndex);
  return row(title, [
    environmentLink(environmentName, request)(snapshot, environmentName),
    replaced?.diffUrl ? safeLink(replaced.diffUrl, "Commits") : undefined,
    reviewOf(deployment),
    approvalsOf(deployment),
    typeof deployment.leadTimeSeconds === "number"
      ? html`lead time ${duration(deployment.leadTimeSeconds)}`
      : undefined,
    deployment.isInitial ? html`ran when reports began` : undefined,
    deployment.isRedeployment ? html`ran here before` : undefined,
    shortTime(deployment.deployedAt),
  ]);
}
