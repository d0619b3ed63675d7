import type { NotificationPayload } from "../../../api/resources/notification-payload.ts";
import type { GitCommitInfo } from "../../../api/resources/provenance.ts";
import { requireTrailRecords, type TrailRecords } from "../../evidence/compliance/trail-records.ts";
import type { DocumentTexts } from "../../evidence/search/index/documents.ts";
import { reasonsFor } from "../../judging/compliance/trail-verdict.ts";
import type { Notifier } from "../../kernel/caller.ts";
import { together } from "../../store/prepared.ts";
import type { Database } from "../../store/tables.ts";
import type { FlowContent } from "./raise.ts";
import type { Rule } from "./rules.ts";

export interface TrailSource {
  /** JSON in wire names. */
  gitCommitInfo: string | null;
  originUrl: string | null;
}

export interface PlaceInFlow {
  flow: { name: string };
  /** State after the event; undefined without a trail. */
  trail?: { name: string; records: TrailRecords; source: TrailSource } | undefined;
  /** The searched texts of the trail. Undefined without a trail. */
  document?: DocumentTexts | undefined;
  /** Notification rules, if they were read with the place. */
  rules?: readonly Rule[] | undefined;
}

export type NotifiedPlace = PlaceInFlow & Notifier;

/** Fields from the event. Missing commit and run come from the trail. */
interface Own extends Pick<FlowContent, "artifact" | "attestation" | "approval" | "description"> {
  commit?: FlowContent["commit"] | undefined;
  runUrl?: string | null | undefined;
}

const MAX_REASONS = 5;

export function flowContent(
  { org, links, flow, trail }: NotifiedPlace,
  { commit: ownCommit, runUrl: ownRun, ...own }: Own,
): FlowContent {
  const ofTrail = trail?.source.gitCommitInfo ?? null;
  const commit = ownCommit ?? (ofTrail === null ? undefined : commitOf(commitIn(ofTrail)));
  const runUrl = ownRun || trail?.source.originUrl;
  return {
    ...own,
    flow: { name: flow.name, html_url: links.flow(org.name, flow.name) },
    ...(trail && {
      trail: {
        name: trail.name,
        compliance_state: trail.records.verdict.state,
        html_url: links.trail(org.name, flow.name, trail.name),
      },
    }),
    reasons: trail ? reasonsOf(trail.records) : [],
    ...(commit && { commit }),
    ...(runUrl ? { run_url: runUrl } : {}),
  };
}

function reasonsOf(records: TrailRecords): string[] {
  return records.verdict.state === "COMPLIANT" ? [] : reasonsFor(records).slice(0, MAX_REASONS);
}

export function commitIn(column: string): GitCommitInfo {
  return JSON.parse(column);
}

export async function trailAsItIs(db: Database, trailId: string): Promise<NonNullable<PlaceInFlow["trail"]>> {
  const source = db
    .selectFrom("trails")
    .select(["name", "git_commit_info", "origin_url"])
    .where("id", "=", trailId)
    .executeTakeFirstOrThrow();
  const [records, { name, git_commit_info, origin_url }] = await together([
    requireTrailRecords(db, trailId),
    source,
  ]);
  return { name, records, source: { gitCommitInfo: git_commit_info, originUrl: origin_url } };
}

type Commit = NonNullable<NotificationPayload["commit"]>;

export function commitOf(info: Pick<GitCommitInfo, "sha1" | "author" | "message" | "url">): Commit {
  const { sha1: sha, author = null, message, url: html_url = null } = info;
  return { sha, author, message: message ? firstLine(message) : null, html_url };
}

interface ReportedCommit {
  commit_sha: string | null;
  commit_url: string;
  details: string;
}

export function commitOfReport({ commit_sha, commit_url, details }: ReportedCommit): Commit | undefined {
  const { git_commit_info }: { git_commit_info?: GitCommitInfo | null } = JSON.parse(details);
  const info = git_commit_info ?? (commit_sha === null ? undefined : { sha1: commit_sha });
  return info && commitOf({ ...info, url: info.url || commit_url || null });
}

/** In characters. A commit message on one line can be arbitrarily long. */
const MAX_LINE_LENGTH = 500;

function firstLine(text: string): string {
  const [line = ""] = text.trimStart().split("\n", 1);
  return line.trimEnd().slice(0, MAX_LINE_LENGTH);
}
