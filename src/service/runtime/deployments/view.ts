import type { Deployment as DeploymentView } from "../../../api/resources/deployments.ts";
import type { Links } from "../../kernel/links.ts";
import { listed } from "../../store/dialect.ts";
import { contentId, idsOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import {
  type Build,
  buildLeadTimeOf,
  buildsOf,
  commitOf,
  flowNamesOf,
  leadTimeOf,
  secondsOf,
  timeSince,
} from "../running/builds.ts";
import { complianceWord } from "../running/deployed-flows.ts";
import { type Deployment, endsOf } from "../running/deployments.ts";
import { readIntervals } from "../running/intervals.ts";
import { approversOfDeployments, reviewsOf } from "../running/reviews.ts";

interface Place {
  org: { id: string; name: string };
  environments: readonly Pick<Tables["environments"], "id" | "name" | "type">[];
  links: Links;
}

/** Uses a fixed number of queries. */
export async function deploymentViews(
  db: Database,
  deployments: readonly Deployment[],
  { org, environments, links }: Place,
): Promise<DeploymentView[]> {
  if (deployments.length === 0) return [];
  const fingerprints = [...new Set(deployments.map(({ fingerprint }) => fingerprint))];
  const intervals = new Map(
    (await readIntervals(db, idsOf(deployments))).map(({ row, record }) => [row.id, record]),
  );
  const builds = await buildsOf(db, org.id, fingerprints);
  const names = await namesOf(db, [...builds.values()]);
  const flows = await flowNamesOf(db, org.id, fingerprints);
  const reviews = await reviewsOf(db, deployments, builds, org.id);
  const environmentNames = new Map(environments.map(({ id, name }) => [id, name]));
  const approvers = await approversOfDeployments(db, deployments, { orgId: org.id, environmentNames });
  const ends = await endsOf(db, deployments);
  const types = new Map(environments.map(({ id, type }) => [id, type]));
  return deployments.flatMap((deployment): DeploymentView[] => {
    const { id, environmentId, fingerprint, number, deployedAt, isCompliant, previousStart } = deployment;
    const interval = intervals.get(id);
    const review = reviews.get(id);
    if (!interval || !review) return [];
    const environment = environmentNames.get(environmentId) ?? "";
    const build = builds.get(fingerprint);
    const named = build && names.get(build.id);
    const flow = interval.flows.find(({ flowId }) => flowId === build?.flow_id) ?? interval.flows[0];
    const started = interval.instances.map(({ creationTimestamp }) => creationTimestamp);
    return [
      {
        id: contentId([environmentId, fingerprint, String(number)]),
        environmentName: environment,
        environmentType: types.get(environmentId) ?? "",
        snapshotIndex: number,
        artifactName: interval.name,
        fingerprint,
        deployedAt,
        runningSince: started.length === 0 ? null : Math.min(...started),
        isCompliant,
        complianceState: complianceWord(isCompliant),
        hasProvenance: build !== undefined,
        isInitial: deployment.isInitial,
        isRedeployment: previousStart !== null,
        flowName: named?.flow_name ?? null,
        trailName: named?.trail_name ?? null,
        templateReferenceName: build?.template_name ?? null,
        gitCommit: build?.commit_sha ?? null,
        commitUrl: build?.commit_url ?? null,
        gitCommitInfo: build ? commitOf(build) : null,
        repoName: named?.repo_name ?? null,
        repoInnerId: build?.repo_id ?? null,
        flows: flows.get(fingerprint) ?? [],
        leadTimeSeconds: secondsOf(leadTimeOf(deployment, build)),
        buildLeadTimeSeconds: secondsOf(buildLeadTimeOf(deployment, build)),
        changeLeadTimeSeconds: secondsOf(timeSince(review.oldestCommit, deployment)),
        review: review.review,
        reviewedBy: [...review.reviewedBy],
        approvedBy: approvers.get(id) ?? [],
        replaced: flow?.deploymentDiff ?? null,
        endedAt: ends.get(id) ?? null,
        _links: {
          self: { href: links.api(["deployments", org.name, environment, fingerprint]) },
          artifact: named ? { href: links.apiArtifact(org.name, named.flow_name, fingerprint) } : null,
          snapshot: { href: links.apiSnapshot(org.name, environment, number) },
        },
      },
    ];
  });
}

/** Names of flow, trail and repository by the id of the build. */
async function namesOf(db: Database, builds: readonly Build[]) {
  const rows = await db
    .selectFrom("artifacts")
    .innerJoin("flows", "flows.id", "artifacts.flow_id")
    .leftJoin("trails", "trails.id", "artifacts.trail_id")
    .leftJoin("repos", "repos.id", "artifacts.repo_id")
    .select([
      "artifacts.id",
      "flows.name as flow_name",
      "trails.name as trail_name",
      "repos.name as repo_name",
    ])
    .where("artifacts.id", "in", listed(idsOf(builds)))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}
