import type { AnswerOf } from "../../api/operation.ts";
import { MAX_PER_PAGE } from "../../api/paging.ts";
import { listFlowTrails } from "../../api/resources/trails.ts";
import type { ActionContext } from "../../github/step/action.ts";

/** Pages of trails read; evidence beyond them is unknown. */
const MAX_PAGES = 5;
/** Clock difference between committers and the service, in seconds. */
const CLOCK_SKEW = 86_400;

/** The compliance of a commit's trail: `NONE` without a trail, `UNKNOWN` if it could not be read. */
export interface CommitEvidence {
  readonly state: "COMPLIANT" | "NON-COMPLIANT" | "INCOMPLETE" | "NONE" | "UNKNOWN";
  readonly trail?: string;
  readonly trailUrl?: string;
}

interface Commit {
  readonly sha: string;
  /** Unix seconds. */
  readonly timestamp?: number;
}

type Trail = Extract<AnswerOf<typeof listFlowTrails>, readonly unknown[]>[number];

/** Reads the evidence of commits from the flow's trails, with few requests for any number of commits. */
export async function evidenceOf(
  commits: readonly Commit[],
  flow: string,
  context: ActionContext,
): Promise<(sha: string) => CommitEvidence> {
  const found = new Map<string, CommitEvidence>();
  const wanted = new Set(commits.map(({ sha }) => sha));
  const since = Math.min(...commits.map(({ timestamp = -Infinity }) => timestamp)) - CLOCK_SKEW;
  let complete = wanted.size === 0;
  for (let page = 1; page <= MAX_PAGES && !complete; page++) {
    const reply = await context.call(listFlowTrails, { flowName: flow, page, perPage: MAX_PER_PAGE });
    if (reply === undefined) break;
    const { body } = reply;
    const trails = Array.isArray(body) ? body : body.data;
    for (const trail of trails) note(trail, wanted, found);
    const last = trails.at(-1);
    const isLast = Array.isArray(body) || page >= (body.pagination?.pageCount ?? page);
    // Trails are newest first, and none begins before its commit.
    const outOfTime = last !== undefined && last.createdAt < since;
    complete = isLast || outOfTime || commits.every(({ sha }) => found.get(sha)?.trail === sha);
  }
  return (sha) => found.get(sha) ?? { state: complete ? "NONE" : "UNKNOWN" };
}

/** The trail named after the commit counts, or else the newest. */
function note(trail: Trail, wanted: ReadonlySet<string>, found: Map<string, CommitEvidence>): void {
  const { name, complianceState: state, gitCommitInfo, htmlUrl } = trail;
  const sha = wanted.has(name) ? name : gitCommitInfo?.sha1;
  if (sha === undefined || !wanted.has(sha)) return;
  if (name === sha || !found.has(sha)) found.set(sha, { state, trail: name, trailUrl: htmlUrl });
}
