import { type Build, MAX_BUILDS } from "../../../api/resources/builds.ts";
import { invalidInput } from "../../kernel/errors.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import type { Links } from "../../kernel/links.ts";
import { pageFields, sliceOf } from "../../kernel/paging.ts";
import { windowOf } from "../../kernel/window.ts";
import type { Call, Handler } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { verdictOfReport } from "../compliance/facts.ts";
import { reposNamed } from "../repos/records.ts";
import { type BuildFilter, countBuilds, newestBuilds, timesOfBuilds } from "./builds.ts";
import { type ArtifactRow, reportsAt } from "./list.ts";
import { type Runs, runsOf } from "./runs.ts";

export const listBuilds: Handler<"listBuilds"> = async ({ org, caller, params }, { store, links, now }) => {
  const { page, perPage, startTs, endTs, repoId, repoName, repoInnerId } = params;
  const query = {
    ...{ repo_id: repoId, repo_name: repoName, repo_inner_id: repoInnerId },
    ...{ start_ts: startTs, end_ts: endTs },
  };
  const window = windowOf(params, now());
  return store.readTogether(async (db) => {
    const filter = { orgId: org.id, ...window, repoIds: await repoIdsGiven(db, org.id, params) };
    const total = await countBuilds(db, filter);
    const rows = await reportsIn(db, filter, { page, perPage });
    const fingerprints = rows.map(({ fingerprint }) => fingerprint);
    const runs = await runsOf(db, org.id, fingerprints, caller.scope);
    return {
      status: 200,
      body: {
        ...pageFields({ total, page, perPage }, (paging) =>
          links.api(["builds", org.name], { ...query, ...paging }),
        ),
        builds: rows.map((row) => buildView(row, runs(row.fingerprint), { org: org.name, links })),
      },
    };
  });
};

export const getBuildStatistics: Handler<"getBuildStatistics"> = async ({ org, params }, { store, now }) => {
  const window = windowOf(params, now());
  return store.readTogether(async (db) => {
    const filter = { orgId: org.id, ...window, repoIds: await repoIdsGiven(db, org.id, params) };
    const builtAt = await timesOfBuilds(db, filter, MAX_BUILDS + 1);
    if (builtAt.length > MAX_BUILDS) {
      throw invalidInput({
        "query.start_ts": `The window has more than ${MAX_BUILDS} builds. Choose a shorter one`,
      });
    }
    return {
      status: 200,
      body: { startTs: window.from, endTs: window.until, count: builtAt.length, builtAt },
    };
  });
};

/** @throws NotFound */
async function repoIdsGiven(
  db: Database,
  orgId: string,
  { repoInnerId, repoId, repoName }: Call<"getBuildStatistics">["params"],
): Promise<string[] | undefined> {
  if (repoInnerId !== undefined) return reposNamed(db, orgId, "id", repoInnerId);
  if (repoId) return reposNamed(db, orgId, "repo_id", repoId);
  return repoName ? reposNamed(db, orgId, "name", repoName) : undefined;
}

async function reportsIn(db: Database, filter: BuildFilter, position: { page: number; perPage: number }) {
  if (position.perPage === 0) return [];
  const sequences = await newestBuilds(db, filter, sliceOf(position));
  const rows = new Map((await reportsAt(db, sequences)).map((row) => [row.sequence, row]));
  return sequences.flatMap((sequence) => rows.get(sequence) ?? []);
}

function buildView(
  row: ArtifactRow,
  { running, exited }: Runs,
  { org, links }: { org: string; links: Links },
): Build {
  const environments = [...running, ...exited].map(({ environmentName }) => environmentName);
  const { flow_name, fingerprint } = row;
  return {
    id: row.id,
    fingerprint,
    artifactName: row.filename,
    builtAt: row.created_at,
    flowName: flow_name,
    trailName: row.trail_name,
    templateReferenceName: row.template_name,
    gitCommit: row.commit_sha,
    commitUrl: row.commit_url,
    git_commit_info: fieldsOf(row.details)["git_commit_info"] ?? null,
    buildUrl: row.build_url,
    repoName: row.repo_name,
    repoInnerId: row.repo_id,
    complianceState: verdictOfReport(row, row.flow_template).state,
    deployedTo: [...new Set(environments)].sort(),
    _links: {
      self: { href: links.apiArtifact(org, flow_name, fingerprint) },
      html: { href: links.artifact(org, flow_name, fingerprint, row.id) },
    },
  };
}
