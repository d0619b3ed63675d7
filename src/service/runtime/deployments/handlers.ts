import { findFlow, requireFlow } from "../../evidence/flows/records.ts";
import { repoIdsOf } from "../../evidence/repos/list.ts";
import type { Organization } from "../../kernel/caller.ts";
import { NotFound } from "../../kernel/errors.ts";
import { pageFields, type Slice, sliceOf } from "../../kernel/paging.ts";
import { windowOf } from "../../kernel/window.ts";
import type { Handler } from "../../operation/handler.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { physicalEnvironments, requireEnvironment } from "../environments/records.ts";
import {
  countDeployments,
  type DeploymentFilter,
  endsOf,
  frequentDeployments,
  newestDeployments,
} from "../running/deployments.ts";
import { chosenDeployments } from "./chosen-deployments.ts";
import { chosenEnvironments } from "./chosen-environments.ts";
import { chosenFlows } from "./chosen-flows.ts";
import { boundedDeployments, perDay, seriesWindow } from "./series.ts";
import { deploymentViews } from "./view.ts";
import { windowOfTexts } from "./window.ts";

const MAX_STARTS = 100;

export const listEnvironmentDeployments: Handler<"listEnvironmentDeployments"> = async (
  { org, params },
  { store, links, now },
) => {
  const { envName, page, pageSize: perPage, from, to } = params;
  const window = windowOfTexts({ from, to }, { now: now(), days: 30 });
  const { total, deployments } = await store.readTogether(async (db) => {
    const environments = await physicalEnvironments(db, await requireEnvironment(db, org, envName));
    const filter = { orgId: org.id, environmentIds: idsOf(environments), ...window };
    const found = await pageOfDeployments(db, filter, sliceOf({ page, perPage }));
    return {
      ...found,
      deployments: await deploymentViews(db, found.deployments, { org, environments, links }),
    };
  });
  const { perPage: pageSize, ...position } = pageFields({ total, page, perPage }, (paging) =>
    links.api(["environments", org.name, envName, "deployments"], {
      from: from || undefined,
      to: to || undefined,
      page: paging.page,
      page_size: paging.per_page,
    }),
  );
  return { status: 200, body: { ...position, pageSize, deployments } };
};

export const listDeployments: Handler<"listDeployments"> = async (
  { org, caller: { scope }, params },
  { store, links, now },
) => {
  const { page, perPage, startTs, endTs, envName, envTag, repoName, flow, flowTag } = params;
  const { complianceState, review, approval, sample, seed } = params;
  const window = windowOf(params, now());
  const { total, deployments } = await store.readTogether(async (db) => {
    const environments = await chosenEnvironments(db, org, { names: envName, tags: envTag, scope });
    const filter: DeploymentFilter = {
      orgId: org.id,
      environmentIds: idsOf(environments),
      ...window,
      repoIds: repoName && (await repoIdsOf(db, org.id, repoName)),
      flowIds: await chosenFlows(db, org, { names: flow, tags: flowTag, scope }),
      isCompliant: complianceState && COMPLIANCE[complianceState],
    };
    const slice = sliceOf({ page, perPage });
    const isChosen = review !== undefined || approval !== undefined || sample !== undefined;
    const found = isChosen
      ? await chosenDeployments(db, filter, { review, approval, sample, seed, environments, slice })
      : await pageOfDeployments(db, filter, slice);
    const views = await deploymentViews(db, found.deployments, { org, environments, links });
    return { ...found, deployments: views };
  });
  const query = {
    start_ts: startTs,
    end_ts: endTs,
    env_name: envName,
    env_tag: envTag,
    repo_name: repoName,
    flow,
    flow_tag: flowTag,
    compliance_state: complianceState,
    review,
    approval,
    sample,
    seed: sample === undefined ? undefined : seed,
  };
  return {
    status: 200,
    body: {
      ...pageFields({ total, page, perPage }, (paging) =>
        links.api(["deployments", org.name], { ...query, ...paging }),
      ),
      deployments,
    },
  };
};

async function pageOfDeployments(db: Database, filter: DeploymentFilter, slice: Slice) {
  const { limit, offset } = slice;
  const deployments = limit === 0 ? [] : await newestDeployments(db, filter, slice);
  const isWhole = offset === 0 && deployments.length < limit;
  return { total: isWhole ? deployments.length : await countDeployments(db, filter), deployments };
}

const COMPLIANCE = { COMPLIANT: true, "NON-COMPLIANT": false, UNKNOWN: null } as const;

export const getDeployment: Handler<"getDeployment"> = async ({ org, params }, { store, links }) =>
  store.readTogether(async (db) => {
    const { envName, fingerprint } = params;
    const environments = await physicalEnvironments(db, await requireEnvironment(db, org, envName));
    const filter = { orgId: org.id, environmentIds: idsOf(environments), fingerprint };
    const [latest] = await newestDeployments(db, filter, { limit: 1, offset: 0 });
    const [shown] = latest ? await deploymentViews(db, [latest], { org, environments, links }) : [];
    if (!latest || !shown) {
      const artifact = `Artifact with fingerprint '${fingerprint}'`;
      throw new NotFound("artifact.not_found", `${artifact} was never deployed to environment '${envName}'`);
    }
    const sameArtifact = { ...filter, fingerprint: latest.fingerprint };
    const starts = await newestDeployments(db, sameArtifact, { limit: MAX_STARTS, offset: 0 });
    const ends = await endsOf(db, starts);
    return {
      status: 200,
      body: {
        ...shown,
        starts: starts.map(({ id, deployedAt, number }) => ({
          deployedAt,
          snapshotIndex: number,
          endedAt: ends.get(id) ?? null,
        })),
      },
    };
  });

export const getDeploymentFrequency: Handler<"getDeploymentFrequency"> = async (
  { org, params },
  { store, now },
) => {
  const { envName, flowId } = params;
  const window = seriesWindow(params, now());
  return store.readTogether(async (db) => {
    const environments = await physicalEnvironments(db, await requireEnvironment(db, org, envName));
    const flow = flowId ? await flowOfId(db, org, flowId) : undefined;
    const filter = {
      ...{ orgId: org.id, environmentIds: idsOf(environments), ...window },
      flowIds: flow && [flow.id],
    };
    const counted = await frequentDeployments(db, await boundedDeployments(db, filter));
    const deployedAt = counted.map((deployment) => deployment.deployedAt);
    return {
      status: 200,
      body: {
        environmentName: envName,
        flowId: flow?.id ?? null,
        flowName: flow?.name ?? null,
        startTs: window.from,
        endTs: window.until,
        count: deployedAt.length,
        deployedAt,
        ...perDay(deployedAt, window),
      },
    };
  });
};

/** @throws NotFound */
async function flowOfId(db: Database, org: Organization, idOrName: string) {
  const known = await db
    .selectFrom("flows")
    .select(["id", "name"])
    .where("org_id", "=", org.id)
    .where("id", "=", idOrName)
    .executeTakeFirst();
  return known ?? (await findFlow(db, org.id, idOrName)) ?? requireFlow(db, org, idOrName);
}
