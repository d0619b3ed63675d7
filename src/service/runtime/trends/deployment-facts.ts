import { valuesByKey } from "../../kernel/values-by-key.ts";
import { listed } from "../../store/dialect.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { buildLeadTimeOf, buildsOf, leadTimeOf } from "../running/builds.ts";
import { type Deployment, frequentDeployments } from "../running/deployments.ts";
import { approversOfDeployments, reviewsOf } from "../running/reviews.ts";
import type { DeploymentFacts } from "./deployment-figures.ts";

export interface FactsOf {
  orgId: string;
  environments: readonly Pick<Tables["environments"], "id" | "name">[];
  /** Identifiers of the controls whose decisions approve. Default: all. */
  controls: readonly string[] | undefined;
}

export async function factsOf(
  db: Database,
  deployments: readonly Deployment[],
  { orgId, environments, controls }: FactsOf,
): Promise<DeploymentFacts[]> {
  const fingerprints = deployments.map(({ fingerprint }) => fingerprint);
  const builds = await buildsOf(db, orgId, fingerprints);
  const counted = new Set(await frequentDeployments(db, deployments));
  const reviews = await reviewsOf(db, deployments, builds, orgId);
  const environmentNames = new Map(environments.map(({ id, name }) => [id, name]));
  const approvers = await approversOfDeployments(db, deployments, { orgId, environmentNames, controls });
  return deployments.map((deployment) => {
    const build = builds.get(deployment.fingerprint);
    return {
      ...deployment,
      isCounted: counted.has(deployment),
      hasProvenance: build !== undefined,
      repoId: build?.repo_id ?? null,
      leadTime: leadTimeOf(deployment, build),
      buildLeadTime: buildLeadTimeOf(deployment, build),
      review: reviews.get(deployment.id)?.review ?? "unknown",
      isApproved: approvers.has(deployment.id),
    };
  });
}

/** Fingerprints of the deployments that each flow reported, by the flow's id. */
export async function fingerprintsOfFlows(
  db: Database,
  flowIds: readonly string[],
  deployments: readonly Deployment[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (flowIds.length === 0) return new Map();
  const fingerprints = [...new Set(deployments.map(({ fingerprint }) => fingerprint))];
  const rows = await db
    .selectFrom("artifacts")
    .select(["flow_id", "fingerprint"])
    .distinct()
    .where("flow_id", "in", listed(flowIds))
    .where("fingerprint", "in", listed(fingerprints))
    .execute();
  const found = valuesByKey(rows, ({ flow_id, fingerprint }) => [flow_id, fingerprint]);
  return new Map([...found].map(([flowId, all]) => [flowId, new Set(all)]));
}
