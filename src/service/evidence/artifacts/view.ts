import type { AnswerOf } from "../../../api/operation.ts";
import type { getArtifact, listArtifacts } from "../../../api/resources/artifacts.ts";
import { resultsIn } from "../../judging/facts.ts";
import type { Organization } from "../../kernel/caller.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import type { Links } from "../../kernel/links.ts";
import type { Scope } from "../../kernel/scope.ts";
import { listed } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { type StoredAttestation, shownType } from "../attestations/stored.ts";
import { originsOf, withOrigin } from "../origins/origins.ts";
import { describedRepo } from "../repos/list.ts";
import { eventsOf, pastOf, trailEventsOf } from "../trails/events.ts";
import { type EvaluatedReport, evaluateReports } from "./evidence.ts";
import type { ArtifactRow } from "./list.ts";
import { type RunningInstance, runsOf } from "./runs.ts";

type ListItem = AnswerOf<typeof listArtifacts>[number];
type ArtifactView = AnswerOf<typeof getArtifact>;

interface Viewing {
  org: Organization;
  links: Links;
}

/** Only environments of the scope are shown. */
interface ViewingRuns extends Viewing {
  scope: Scope;
}

/** Uses a fixed number of queries for a page. */
export async function artifactListItems(
  db: Database,
  rows: readonly ArtifactRow[],
  viewing: Viewing,
): Promise<ListItem[]> {
  const approvals = await approvalNumbers(db, rows);
  const reports = await evaluateReports(db, rows);
  return reports.map((report) => listItem(report, approvals(report.row), viewing));
}

export async function artifactViews(
  db: Database,
  rows: readonly ArtifactRow[],
  viewing: ViewingRuns,
): Promise<ArtifactView[]> {
  const views = await viewsWithoutHistory(db, rows, viewing);
  const trailIds = new Set(rows.flatMap(({ trail_id }) => trail_id ?? []));
  const events = await trailEventsOf(db, [...trailIds], viewing.scope);
  return views.map(({ view, row }) => {
    const ofTrail = row.trail_id === null ? undefined : events.get(row.trail_id);
    const history = ofTrail ? artifactHistory(ofTrail, identityOf(row)) : historyWithoutTrail(row);
    return { ...view, history };
  });
}

/** The history is streamed, because a trail may be long. */
export async function artifactView(
  db: Database,
  row: ArtifactRow,
  viewing: ViewingRuns,
): Promise<{ view: ArtifactView; historyFrom: (later: Database) => AsyncIterable<History> }> {
  const [found] = await viewsWithoutHistory(db, [row], viewing);
  if (!found) throw new Error(`Artifact '${row.id}' disappeared while it was being read`);
  const past = row.trail_id === null ? undefined : await pastOf(db, row.trail_id, viewing.scope);
  async function* historyFrom(later: Database): AsyncGenerator<History> {
    if (!past) yield historyWithoutTrail(row);
    else for await (const events of eventsOf(later, past)) yield artifactHistory(events, identityOf(row));
  }
  return { view: found.view, historyFrom };
}

type History = ReturnType<typeof artifactHistory>;

async function viewsWithoutHistory(db: Database, rows: readonly ArtifactRow[], viewing: ViewingRuns) {
  const reports = await evaluateReports(db, rows);
  const approvals = await approvalNumbers(db, rows);
  const fingerprints = new Set(rows.map(({ fingerprint }) => fingerprint));
  const runs = await runsOf(db, viewing.org.id, [...fingerprints], viewing.scope);
  const origins = await originsOf(db, "artifact", idsOf(rows));
  return reports.map((report) => {
    const { row, template, verdict } = report;
    const { running, exited } = runs(row.fingerprint);
    const rule = template.artifacts.find(({ name }) => name === row.template_name);
    const view: ArtifactView = {
      ...listItem(report, approvals(row), viewing),
      flowName: row.flow_name,
      template: (rule?.attestations ?? []).map(({ name }) => name),
      stateInfo: verdict.reason,
      approvals: approvals(row),
      ...withOrigin(origins.get(row.id)),
      running: running.map(runningInstanceView),
      exited: exited.map(runningInstanceView),
      commitLeadTimes: {},
      buildLeadTimes: {},
    };
    return { row, view };
  });
}

function identityOf({ fingerprint, template_name: templateName }: ArtifactRow) {
  return { fingerprint, templateName };
}

function historyWithoutTrail({ template_name, filename, created_at }: ArtifactRow) {
  return [{ event: reportedAs(template_name ?? filename), timestamp: created_at }];
}

function listItem(
  { row, verdict, evidence }: EvaluatedReport,
  releases: number[],
  { org, links }: Viewing,
): ListItem {
  const {
    git_commit_info = null,
    external_urls = null,
    annotations = null,
    ...details
  } = fieldsOf(row.details);
  return {
    id: row.id,
    trailName: row.trail_name,
    templateReferenceName: row.template_name,
    fingerprint: row.fingerprint,
    filename: row.filename,
    gitCommit: row.commit_sha,
    git_commit_info,
    repoInfo: repoInfoOf(row),
    commitUrl: row.commit_url,
    buildUrl: row.build_url,
    repoUrl: row.repo_url,
    htmlUrl: links.artifact(org.name, row.flow_name, row.fingerprint, row.id),
    apiUrl: links.apiArtifact(org.name, row.flow_name, row.fingerprint),
    createdAt: String(row.created_at),
    lastModifiedAt: String(row.created_at),
    description: typeof details.description === "string" ? details.description : null,
    userData: details.user_data ?? null,
    ...(typeof details.spooled_by === "string" && { spooledBy: details.spooled_by }),
    external_urls,
    annotations: typeof annotations === "object" && annotations !== null ? { ...annotations } : null,
    state: verdict.state,
    deployments: [],
    releases,
    evidence: Object.fromEntries([...evidence].map(([name, stored]) => [name, evidenceView(stored)])),
  };
}

function repoInfoOf(row: ArtifactRow): ListItem["repoInfo"] {
  if (row.repo_name === null || row.repo_web_url === null) return null;
  return {
    name: row.repo_name,
    id: row.repo_external_id,
    url: row.repo_web_url,
    description: row.repo_description,
    ...describedRepo({ ...row, provider: row.repo_provider ?? "" }),
  };
}

function evidenceView({ row, attachments }: StoredAttestation): NonNullable<ListItem["evidence"]>[string] {
  const details = fieldsOf(row.details);
  const { origin_url, description, user_data, ...fields } = resultsIn(row.type, details);
  const [onlyFile, ...furtherFiles] = attachments;
  return {
    evidenceType: shownType(row.type, details),
    isCompliant: row.is_compliant === 1,
    buildUrl: typeof origin_url === "string" ? origin_url : null,
    evidenceArchiveFingerprint: onlyFile && furtherFiles.length === 0 ? onlyFile.sha256 : null,
    userData: user_data ?? null,
    createdAt: String(row.created_at),
    description: typeof description === "string" ? description : null,
    hasAuditPackage: attachments.length > 0,
    evidenceUrl: null,
    evidenceFingerprint: null,
    commitSha: row.commit_sha,
    snyk_results: fields.processed_snyk_results ?? null,
    junit_results: fields.junit_results ?? null,
    jira_results: fields.jira_results ?? null,
    git_provider: fields.git_provider ?? null,
    pull_requests: fields.pull_requests ?? null,
  };
}

function runningInstanceView({ environmentName, snapshotIndex }: RunningInstance) {
  return { environmentName, snapshotIndex };
}

function reportedAs(name: unknown): string {
  return `${name} reported`;
}

function artifactHistory(
  events: readonly Readonly<Record<string, unknown>>[],
  artifact: { fingerprint: string; templateName: string | null },
): { event: string; timestamp: number }[] {
  return events
    .filter((event) => isAboutArtifact(event, artifact))
    .flatMap((event) => {
      const text = inWords(event);
      return text === undefined ? [] : [{ event: text, timestamp: Number(event.timestamp) }];
    });
}

function isAboutArtifact(
  event: Readonly<Record<string, unknown>>,
  { fingerprint, templateName }: { fingerprint: string; templateName: string | null },
): boolean {
  return event.type === "trail_attestation_for_artifact_reported"
    ? templateName !== null && event.target_artifact === templateName
    : event.artifact_fingerprint === fingerprint;
}

function inWords(event: Readonly<Record<string, unknown>>): string | undefined {
  switch (event.type) {
    case "artifact_creation_reported":
      return reportedAs(event.template_reference_name ?? event.artifact_name);
    case "artifact_attestation_reported":
    case "trail_attestation_for_artifact_reported":
      return `${event.attestation_type} attestation '${event.template_reference_name}' reported as ${
        event.is_compliant === true ? "compliant" : "non-compliant"
      }`;
    case "artifact_approval_reported":
      return `Approval #${event.approval_number} is ${event.state}`;
    case "artifact_started_running":
      return `Started running in ${event.environment_name}#${event.snapshot_index}`;
    case "artifact_stopped_running":
      return `Stopped running in ${event.environment_name}#${event.snapshot_index}`;
    default:
      return undefined;
  }
}

export interface ArtifactOfFlow {
  flow_id: string;
  fingerprint: string;
}

/** Approval numbers of several artifacts, each in its flow, ascending. */
export async function approvalNumbers(
  db: Database,
  artifacts: readonly ArtifactOfFlow[],
): Promise<(artifact: ArtifactOfFlow) => number[]> {
  if (artifacts.length === 0) return () => [];
  const rows = await db
    .selectFrom("approvals")
    .select(["flow_id", "artifact_fingerprint as fingerprint", "number"])
    .where("flow_id", "in", listed([...new Set(artifacts.map(({ flow_id }) => flow_id))]))
    .where(
      "artifact_fingerprint",
      "in",
      listed([...new Set(artifacts.map(({ fingerprint }) => fingerprint))]),
    )
    .execute();
  const keyOf = ({ flow_id, fingerprint }: ArtifactOfFlow) => `${flow_id}/${fingerprint}`;
  // Sorted here: a sorted query would read all approvals of the flows.
  const found = Map.groupBy(
    rows.sort((a, b) => a.number - b.number),
    keyOf,
  );
  return (artifact) => (found.get(keyOf(artifact)) ?? []).map(({ number }) => number);
}
