import type { GitCommitInfo } from "../../../api/resources/provenance.ts";
import { requireTrailRecords, type TrailRecords } from "../../evidence/compliance/trail-records.ts";
import { reasonsFor } from "../../judging/compliance/trail-verdict.ts";
import type { Links } from "../../kernel/links.ts";
import type { Organization } from "../../kernel/organization.ts";
import { commitOf } from "../../notifications/commit.ts";
import type { Database } from "../../store/tables.ts";
import { together } from "../../store/together.ts";
import type { FlowContent, Happening } from "./raise.ts";

/** What was said of a trail itself: which commit it is about, and which run began it. */
export interface SaidOfTrail {
  /** As JSON in the names of the wire. */
  gitCommitInfo: string | null;
  originUrl: string | null;
}

/** Where in a flow something happened. */
export interface PlaceInFlow {
  org: Organization;
  links: Links;
  flowName: string;
  /** As the event left it. Undefined for what belongs to no trail. */
  trail: { name: string; records: TrailRecords; said: SaidOfTrail } | undefined;
}

/** What only the event itself knows. What it does not say of commit and run is what was said of its trail. */
interface Own extends Pick<FlowContent, "artifact" | "attestation" | "approval" | "description"> {
  commit?: FlowContent["commit"] | undefined;
  runUrl?: string | null | undefined;
}

const MOST_REASONS = 5;

/** What is told of something that happened in a flow. */
export function flowContent(
  { org, links, flowName, trail }: PlaceInFlow,
  { commit: ownCommit, runUrl: ownRun, ...own }: Own,
): FlowContent {
  const commit = ownCommit ?? commitOfTrail(trail?.said.gitCommitInfo);
  const runUrl = ownRun || trail?.said.originUrl;
  return {
    ...own,
    flow: { name: flowName, html_url: links.flow(org.name, flowName) },
    ...(trail && {
      trail: {
        name: trail.name,
        compliance_state: trail.records.verdict.state,
        html_url: links.trail(org.name, flowName, trail.name),
      },
    }),
    reasons: trail ? reasonsOf(trail.records) : [],
    ...(commit && { commit }),
    ...(runUrl ? { run_url: runUrl } : {}),
  };
}

function reasonsOf(records: TrailRecords): string[] {
  return records.verdict.state === "COMPLIANT" ? [] : reasonsFor(records).slice(0, MOST_REASONS);
}

function commitOfTrail(column: string | null | undefined): FlowContent["commit"] {
  if (column === null || column === undefined) return undefined;
  const info: GitCommitInfo = JSON.parse(column);
  return commitOf(info);
}

/** A trail with all that a message may say of it. */
export async function trailAsItIs(db: Database, trailId: string): Promise<NonNullable<PlaceInFlow["trail"]>> {
  const said = db
    .selectFrom("trails")
    .select(["name", "git_commit_info", "origin_url"])
    .where("id", "=", trailId)
    .executeTakeFirstOrThrow();
  const [records, { name, git_commit_info, origin_url }] = await together([
    requireTrailRecords(db, trailId),
    said,
  ]);
  return { name, records, said: { gitCommitInfo: git_commit_info, originUrl: origin_url } };
}

/** That a trail began. */
export function trailStarted(place: PlaceInFlow & { trail: object }): Happening {
  const { flowName, trail } = place;
  const { name, records } = trail;
  const description = `${records.verdict.state}: trail '${name}' of flow '${flowName}' began.`;
  return {
    trigger: "ON_STARTED_TRAIL",
    place: flowName,
    each: () => [flowContent(place, { description })],
  };
}
