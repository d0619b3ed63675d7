import type { AnswerOf } from "../../../api/operation.ts";
import type { searchSha as search } from "../../../api/resources/search.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { Handler } from "../../operation/handler.ts";
import { type ArtifactRow, reportsOfSha, shasWithPrefix } from "../artifacts/list.ts";
import { type Runs, runsOf, seenWithPrefix } from "../artifacts/runs.ts";
import { artifactViews } from "../artifacts/view.ts";
import { flowIdsInScope } from "../flows/list.ts";

/** Maximum number of results per kind. */
const MAX_MATCHES = 100;
/** A commit is shorter than a fingerprint. */
const COMMIT_LENGTH = 40;

type Found = AnswerOf<typeof search>["artifacts"][number];

export const searchSha: Handler<"searchSha"> = async ({ org, caller: { scope }, params }, { store, links }) =>
  store.readTogether(async (db) => {
    const { searchValue } = params;
    const prefix = searchValue.toLowerCase();
    const flowIds = await flowIdsInScope(db, org.id, scope);
    const ofFingerprint = { column: "fingerprint", prefix, flowIds } as const;
    const ofCommit = { column: "commit_sha", prefix, flowIds } as const;
    const commits =
      prefix.length > COMMIT_LENGTH ? [] : await shasWithPrefix(db, org.id, ofCommit, MAX_MATCHES);
    const reported = await shasWithPrefix(db, org.id, ofFingerprint, MAX_MATCHES);
    const seen = await seenWithPrefix(db, org.id, { prefix, scope }, MAX_MATCHES);
    const unreported = seen.filter(({ fingerprint }) => !reported.includes(fingerprint));
    const fingerprints = [...new Set([...reported, ...unreported.map(({ fingerprint }) => fingerprint)])];
    const matches = [...fingerprints, ...commits];
    if (matches.length === 0) throw new NotFound("search.no_match", `No matches for '${searchValue}'.`);

    const byFingerprint = await reportsOfSha(db, org.id, ofFingerprint, MAX_MATCHES);
    const byCommit = commits.length === 0 ? [] : await reportsOfSha(db, org.id, ofCommit, MAX_MATCHES);
    const rows = latestInEachTrail([...byFingerprint, ...byCommit]);
    const views = await artifactViews(db, rows, { org, links, scope });
    const runs = await runsOf(db, org.id, fingerprints, scope);
    const type = matches.length > 1 ? "multiple" : commits.length === 1 ? "commit" : "fingerprint";
    return {
      status: 200,
      body: {
        resolvedTo: {
          type,
          fullMatch: matches.length > 1 ? null : (matches[0] ?? null),
          fingerprints: { type: "fingerprint", count: fingerprints.length, matches: fingerprints },
          commits: { type: "commit", count: commits.length, matches: commits },
        },
        artifacts: [
          ...views.map(foundView),
          ...unreported.map(({ fingerprint, name }) =>
            withoutProvenance(fingerprint, name, runs(fingerprint)),
          ),
        ],
      },
    };
  });

/** Newest first; the latest report of an artifact in each trail. */
function latestInEachTrail(rows: readonly ArtifactRow[]): ArtifactRow[] {
  const latest = new Map<string, ArtifactRow>();
  for (const row of rows.toSorted((a, b) => b.sequence - a.sequence)) {
    const key = JSON.stringify([row.flow_id, row.trail_id, row.fingerprint]);
    if (!latest.has(key)) latest.set(key, row);
  }
  return [...latest.values()];
}

function foundView(view: Awaited<ReturnType<typeof artifactViews>>[number]): Found {
  return {
    fingerprint: view.fingerprint,
    name: view.filename,
    hasProvenance: true,
    gitCommit: view.gitCommit,
    // The former name of flows.
    pipeline: view.flowName,
    flow: view.flowName,
    trail: view.trailName,
    templateReferenceName: view.templateReferenceName,
    buildUrl: view.buildUrl,
    commitUrl: view.commitUrl,
    complianceState: view.state,
    runningIn: (view.running ?? []).map(({ environmentName }) => environmentName),
    exitedFrom: (view.exited ?? []).map(({ environmentName }) => environmentName),
    htmlUrl: view.htmlUrl,
    apiUrl: view.apiUrl,
    history: view.history ?? [],
  };
}

function withoutProvenance(fingerprint: string, name: string, { running, exited }: Runs): Found {
  return {
    fingerprint,
    name,
    hasProvenance: false,
    gitCommit: null,
    pipeline: null,
    flow: null,
    trail: null,
    templateReferenceName: null,
    buildUrl: null,
    commitUrl: null,
    complianceState: null,
    runningIn: running.map(({ environmentName }) => environmentName),
    exitedFrom: exited.map(({ environmentName }) => environmentName),
    htmlUrl: null,
    apiUrl: null,
    history: [],
  };
}
