import { plainNumber } from "../../../api/exact-numbers.ts";
import type { DeploymentDiff } from "../../../api/resources/snapshots.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import { listed, listedNumbers } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";
import { compareAddress } from "./compare-address.ts";

/**
 * Stored facts about an artifact's flow in an interval. Other facts are read from immutable records, since reports may
 * have thousands of artifacts.
 */
export interface StoredFlow {
  /** The report of the artifact. */
  artifactId: string;
  /** Unix seconds. Absent if the artifact ran before its flow was known. */
  startedAt?: number | undefined;
  /** The interval that it replaced, and whether that one continues. */
  replaced?: { intervalId: number; stillRuns: boolean } | undefined;
  /** Computed value, stored only by an earlier version. */
  deploymentDiff?: DeploymentDiff | null | undefined;
  /** See `deploymentDiff`. */
  commitLeadTime?: number | null | undefined;
}

export interface DeployedFlow extends Build {
  deploymentDiff: DeploymentDiff | null;
  /** Seconds from the commit to the start of the artifact. */
  commitLeadTime: number | null;
}

/** The latest report in a flow. */
interface Build {
  artifactId: string;
  flowId: string;
  flowName: string;
  trailId: string | null;
  trailName: string | null;
  templateName: string | null;
  commitSha: string | null;
  commitUrl: string;
  /** In wire names. */
  gitCommitInfo: Record<string, unknown> | null;
}

type Flows = { readonly flows: string };

export function storedFlows({ flows }: Flows): StoredFlow[] {
  return flows === "[]" ? [] : JSON.parse(flows);
}

/** Flows of each interval, in the order of the intervals, sorted by name. */
export async function deployedFlows(db: Database, intervals: readonly Flows[]): Promise<DeployedFlow[][]> {
  const stored = intervals.map(storedFlows);
  const replaced = await replacedIntervals(db, stored.flat());
  const everywhere = [...stored.flat(), ...[...replaced.values()].flatMap(({ flows }) => flows)];
  const builds = await buildsOf(
    db,
    everywhere.map(({ artifactId }) => artifactId),
  );
  return stored.map((flows) =>
    flows
      .flatMap((flow): DeployedFlow[] => {
        const build = builds.get(flow.artifactId);
        return build ? [{ ...build, ...deployment(flow, build, { replaced, builds }) }] : [];
      })
      .sort((a, b) => (a.flowName < b.flowName ? -1 : 1)),
  );
}

interface Replaced {
  name: string;
  fingerprint: string;
  compliant: number | null;
  flows: readonly StoredFlow[];
}

async function replacedIntervals(db: Database, flows: readonly StoredFlow[]) {
  const ids = new Set(flows.flatMap(({ replaced }) => replaced?.intervalId ?? []));
  if (ids.size === 0) return new Map<number, Replaced>();
  const rows = await db
    .selectFrom("running_intervals")
    .select(["id", "name", "fingerprint", "compliant", "flows"])
    .where("id", "in", listedNumbers([...ids]))
    .execute();
  return new Map(rows.map((row) => [row.id, { ...row, flows: storedFlows(row) }]));
}

async function buildsOf(db: Database, artifactIds: readonly string[]): Promise<ReadonlyMap<string, Build>> {
  if (artifactIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("artifacts")
    .innerJoin("flows", "flows.id", "artifacts.flow_id")
    .leftJoin("trails", "trails.id", "artifacts.trail_id")
    .select(["artifacts.id as artifactId", "artifacts.flow_id as flowId", "artifacts.trail_id as trailId"])
    .select(["artifacts.template_name as templateName", "artifacts.commit_sha as commitSha"])
    .select("artifacts.commit_url as commitUrl")
    .select(["flows.name as flowName", "trails.name as trailName", "artifacts.details"])
    .where("artifacts.id", "in", listed([...new Set(artifactIds)]))
    .execute();
  return new Map(
    rows.map(({ details, ...row }) => [row.artifactId, { ...row, gitCommitInfo: commitOf(details) }]),
  );
}

function commitOf(details: string): Record<string, unknown> | null {
  const commit = fieldsOf(details)["git_commit_info"];
  return typeof commit === "object" && commit !== null ? { ...commit } : null;
}

interface Known {
  replaced: ReadonlyMap<number, Replaced>;
  builds: ReadonlyMap<string, Build>;
}

function deployment(
  flow: StoredFlow,
  build: Build,
  { replaced, builds }: Known,
): Pick<DeployedFlow, "deploymentDiff" | "commitLeadTime"> {
  const { deploymentDiff, commitLeadTime } = flow;
  if (deploymentDiff !== undefined && commitLeadTime !== undefined) return { deploymentDiff, commitLeadTime };
  const artifact = flow.replaced && replaced.get(flow.replaced.intervalId);
  const before = artifact?.flows
    .flatMap(({ artifactId }) => builds.get(artifactId) ?? [])
    .find(({ flowId }) => flowId === build.flowId);
  const stillRuns = flow.replaced?.stillRuns ?? false;
  return {
    deploymentDiff: artifact && before ? diffFrom({ artifact, before, stillRuns }, build) : null,
    commitLeadTime: leadTime(flow, build),
  };
}

function leadTime({ startedAt }: StoredFlow, { gitCommitInfo }: Build): number | null {
  const committedAt = plainNumber(gitCommitInfo?.["timestamp"]);
  if (startedAt === undefined || typeof committedAt !== "number") return null;
  return startedAt - committedAt;
}

function diffFrom(
  { artifact, before, stillRuns }: { artifact: Replaced; before: Build; stillRuns: boolean },
  { commitSha, commitUrl }: Build,
): DeploymentDiff {
  const comparable = before.commitSha !== null && commitSha !== null;
  return {
    diffUrl: comparable ? compareAddress(commitUrl, before.commitSha ?? "", commitSha ?? "") : null,
    previousGitCommit: before.commitSha,
    previousFingerprint: artifact.fingerprint,
    previousArtifactName: artifact.name,
    previousArtifactComplianceState: complianceWord(
      artifact.compliant === null ? null : artifact.compliant === 1,
    ),
    previousRunning: stillRuns,
    previousGitCommitUrl: before.commitUrl,
    previousTrailName: before.trailName,
    previousTemplateReferenceName: before.templateName,
  };
}

/** Null without policies. */
export function complianceWord(compliant: boolean | null): string | null {
  if (compliant === null) return null;
  return compliant ? "COMPLIANT" : "NON-COMPLIANT";
}
