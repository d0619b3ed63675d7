import { requireSoleRepo } from "../../evidence/repos/records.ts";
import { pageFields, sliceOf } from "../../kernel/paging.ts";
import { windowOf } from "../../kernel/window.ts";
import type { Handler } from "../../operation/handler.ts";
import { idsOf } from "../../store/ids.ts";
import { buildsOf } from "../running/builds.ts";
import { countDeployments, frequentDeployments, newestDeployments } from "../running/deployments.ts";
import { chosenEnvironments } from "./chosen-environments.ts";
import { boundedDeployments, seriesOf, seriesWindow } from "./series.ts";
import { deploymentViews } from "./view.ts";

export const listRepoDeployments: Handler<"listRepoDeployments"> = async (
  { org, caller: { scope }, params },
  { store, links, now },
) => {
  const { repo: id, page, perPage, env, startTs, endTs } = params;
  const window = windowOf(params, now());
  const { total, deployments } = await store.readTogether(async (db) => {
    const repo = await requireSoleRepo(db, org.id, { name: id, id });
    const names = env.length === 0 ? undefined : env;
    const environments = await chosenEnvironments(db, org, { names, scope });
    const filter = {
      ...{ orgId: org.id, environmentIds: idsOf(environments), ...window },
      repoIds: [repo.id],
    };
    const found = perPage === 0 ? [] : await newestDeployments(db, filter, sliceOf({ page, perPage }));
    return {
      total: await countDeployments(db, filter),
      deployments: await deploymentViews(db, found, { org, environments, links }),
    };
  });
  return {
    status: 200,
    body: {
      ...pageFields({ total, page, perPage }, (paging) =>
        links.api(["repos", org.name, id, "deployments"], {
          ...{ env, start_ts: startTs, end_ts: endTs },
          ...paging,
        }),
      ),
      deployments,
    },
  };
};

export const getRepoDeploymentStatistics: Handler<"getRepoDeploymentStatistics"> = async (
  { org, caller: { scope }, params },
  { store, now },
) => {
  const window = seriesWindow(params, now());
  return store.readTogether(async (db) => {
    const repo = await requireSoleRepo(db, org.id, { name: params.repo, id: params.repo });
    const names = params.env.length === 0 ? undefined : params.env;
    const environments = await chosenEnvironments(db, org, { names, scope });
    const repoIds = [repo.id];
    const filter = { orgId: org.id, environmentIds: idsOf(environments), repoIds, ...window };
    const found = await boundedDeployments(db, filter);
    const counted = new Set(await frequentDeployments(db, found));
    const inEnvironment = Map.groupBy(found, ({ environmentId }) => environmentId);
    const builds = await buildsOf(
      db,
      org.id,
      found.map(({ fingerprint }) => fingerprint),
    );
    return {
      status: 200,
      body: {
        startTs: window.from,
        endTs: window.until,
        environments: environments
          .filter(({ id }) => names !== undefined || inEnvironment.has(id))
          .map((environment) => {
            const deployments = (inEnvironment.get(environment.id) ?? []).filter(
              (deployment) => deployment.isInitial || counted.has(deployment),
            );
            return seriesOf(environment, deployments, builds);
          }),
      },
    };
  });
};
