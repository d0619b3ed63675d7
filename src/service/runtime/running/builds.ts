import { plainNumber } from "../../../api/exact-numbers.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import { inSlices } from "../../kernel/slices.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";
import type { Deployment } from "./deployments.ts";

type BuildRow = Awaited<ReturnType<typeof someBuilds>>[number];

/** The report that describes an artifact's build, and the time of the artifact's first report. */
export interface Build extends BuildRow {
  /** Author time of the commit, in Unix seconds. */
  readonly committedAt: number | undefined;
}

/**
 * Builds by fingerprint: the first report that names a repository, otherwise the first one. Later reports may come from
 * a flow that promotes or scans artifacts of other repositories.
 */
export async function buildsOf(db: Database, orgId: string, fingerprints: readonly string[]) {
  const distinct = [...new Set(fingerprints)];
  const found = await inSlices(distinct, async (slice) => {
    const rows = await someBuilds(db, orgId, slice);
    return rows.map((row): Build => {
      const committedAt = plainNumber(commitOf(row)?.["timestamp"]);
      return { ...row, committedAt: typeof committedAt === "number" ? committedAt : undefined };
    });
  });
  return new Map(found.map((build) => [build.fingerprint, build]));
}

function someBuilds(db: Database, orgId: string, fingerprints: readonly string[]) {
  return db
    .selectFrom((query) =>
      query
        .selectFrom("artifacts")
        .select(({ fn, eb }) => [
          fn.min("artifacts.sequence").as("first"),
          fn.min(eb.case().when("repo_id", "is not", null).then(eb.ref("sequence")).end()).as("of_repo"),
        ])
        .where("org_id", "=", orgId)
        .where("fingerprint", "in", listed(fingerprints))
        .groupBy("fingerprint")
        .as("reports"),
    )
    .innerJoin("artifacts as first", "first.sequence", "reports.first")
    .innerJoin("artifacts as build", (join) =>
      join.on(({ eb, fn, ref }) =>
        eb("build.sequence", "=", fn.coalesce(ref("reports.of_repo"), ref("reports.first"))),
      ),
    )
    .select(["build.id", "build.fingerprint", "build.flow_id", "build.trail_id", "build.template_name"])
    .select(["build.commit_sha", "build.commit_url", "build.repo_id", "build.details"])
    .select("first.created_at as first_reported_at")
    .execute();
}

/** The names of all flows that reported each artifact, sorted. */
export async function flowNamesOf(db: Database, orgId: string, fingerprints: readonly string[]) {
  const rows = await db
    .selectFrom("artifacts")
    .innerJoin("flows", "flows.id", "artifacts.flow_id")
    .select(["artifacts.fingerprint", "flows.name"])
    .distinct()
    .where("artifacts.org_id", "=", orgId)
    .where("artifacts.fingerprint", "in", listed(fingerprints))
    .orderBy("flows.name")
    .execute();
  return valuesByKey(rows, ({ fingerprint, name }) => [fingerprint, name]);
}

export function commitOf({ details }: Pick<BuildRow, "details">): Record<string, unknown> | null {
  const commit = fieldsOf(details)["git_commit_info"];
  return typeof commit === "object" && commit !== null ? { ...commit } : null;
}

export type LeadTime = number | "initial" | "redeployments" | "no_commit" | "negative";

/**
 * Seconds from the author time of the build's commit to the deployment, or the reason why there is none. Only the first
 * start in an environment has one: the commit of a rollback may be months old.
 */
export function leadTimeOf(deployment: Deployment, build: Build | undefined): LeadTime {
  return timeSince(build?.committedAt, deployment);
}

export function buildLeadTimeOf(deployment: Deployment, build: Build | undefined): LeadTime {
  return timeSince(build?.first_reported_at, deployment);
}

export function timeSince(
  start: number | null | undefined,
  { isInitial, previousStart, deployedAt }: Pick<Deployment, "isInitial" | "previousStart" | "deployedAt">,
): LeadTime {
  if (isInitial) return "initial";
  if (previousStart !== null) return "redeployments";
  if (start === null || start === undefined) return "no_commit";
  return deployedAt < start ? "negative" : deployedAt - start;
}

/** Null without a lead time. */
export function secondsOf(time: LeadTime): number | null {
  return typeof time === "number" ? time : null;
}
