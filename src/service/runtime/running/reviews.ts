import { plainNumber } from "../../../api/exact-numbers.ts";
import { resultsIn } from "../../judging/facts.ts";
import { fieldsIn, fieldsOf } from "../../kernel/json-column.ts";
import { personName } from "../../kernel/person-name.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import { listed } from "../../store/dialect.ts";
import { OVERRIDE } from "../../store/evidence-tables.ts";
import type { Database } from "../../store/tables.ts";
import { type Build, commitOf } from "./builds.ts";
import type { DeploymentPlace } from "./deployments.ts";

// Reviews and approvals before a deployment. Later ones do not count, so that they cannot change the past.

export interface Review {
  /** Unknown without a trail, or if the attestation does not name the author of the pull request. */
  review: "reviewed" | "unreviewed" | "unknown";
  /** Approvers, without the author. */
  reviewedBy: readonly string[];
  /** Time of the oldest commit of the pull requests, in Unix seconds. */
  oldestCommit: number | null;
}

const UNKNOWN: Review = { review: "unknown", reviewedBy: [], oldestCommit: null };
const PULL_REQUESTS = ["pull_request", "system:pull_request"];
const UNREVIEWED: Review = { review: "unreviewed", reviewedBy: [], oldestCommit: null };

/** The reviews in the trails of the builds, by the id of the deployment. */
export async function reviewsOf(
  db: Database,
  deployments: readonly DeploymentPlace[],
  builds: ReadonlyMap<string, Build>,
  orgId: string,
): Promise<ReadonlyMap<number, Review>> {
  const trailOf = ({ fingerprint }: DeploymentPlace) => builds.get(fingerprint)?.trail_id ?? null;
  const trailIds = new Set(deployments.flatMap((deployment) => trailOf(deployment) ?? []));
  const rows = await pullRequestsIn(db, orgId, [...trailIds]);
  const attested = valuesByKey(rows, (row) => [row.trail_id, row]);
  // An artifact may be deployed to many environments.
  const known = new Map<object, Review>();
  const reviewOf = (row: (typeof rows)[number]) => {
    const review = known.get(row) ?? reviewIn(row);
    known.set(row, review);
    return review;
  };
  return new Map(
    deployments.map((deployment) => {
      const trailId = trailOf(deployment);
      if (trailId === null) return [deployment.id, UNKNOWN];
      const before = (attested.get(trailId) ?? []).filter(
        ({ artifact_fingerprint: about, created_at }) =>
          created_at <= deployment.deployedAt && (about === null || about === deployment.fingerprint),
      );
      // An override has no pull requests, but may reject those of the attestation.
      const latest = before.findLast(({ overridden_id }) => overridden_id === null);
      const isCompliant = before.at(-1)?.is_compliant === 1;
      return [deployment.id, latest && isCompliant ? reviewOf(latest) : UNREVIEWED];
    }),
  );
}

/** Attestations of pull requests, and their overrides, oldest first. Their few names are looked up in an index. */
async function pullRequestsIn(db: Database, orgId: string, trailIds: readonly string[]) {
  const series = await db
    .selectFrom("attestation_series")
    .select("name")
    .where("org_id", "=", orgId)
    .where("type", "in", listed([...PULL_REQUESTS, OVERRIDE]))
    .execute();
  if (series.length === 0 || trailIds.length === 0) return [];
  return db
    .selectFrom("attestations")
    .select([
      "trail_id",
      "type",
      "artifact_fingerprint",
      "created_at",
      "is_compliant",
      "overridden_id",
      "details",
    ])
    .where("trail_id", "in", listed(trailIds))
    .where("name", "in", listed([...new Set(series.map(({ name }) => name))]))
    .where("type", "in", listed(PULL_REQUESTS))
    .orderBy("sequence")
    .execute();
}

function reviewIn({ type, details }: { type: string; details: string }): Review {
  const { pull_requests: found } = resultsIn(type, fieldsOf(details));
  const requests = (Array.isArray(found) ? found : []).map(fieldsIn);
  if (requests.length === 0) return UNREVIEWED;
  const reviewedBy = [...new Set(requests.flatMap(approversOf))];
  const commits = requests.flatMap(({ commits: all }) => (Array.isArray(all) ? all.map(fieldsIn) : []));
  const times = commits
    .map(({ timestamp }) => plainNumber(timestamp))
    .filter((timestamp) => typeof timestamp === "number");
  const oldestCommit = times.length === 0 ? null : Math.min(...times);
  // The older format has no author.
  const authored = requests.filter(({ author }) => author !== undefined);
  if (authored.length === 0) return { review: "unknown", reviewedBy, oldestCommit };
  const isReviewed = authored.some((request) => approversOf(request).length > 0);
  return { review: isReviewed ? "reviewed" : "unreviewed", reviewedBy, oldestCommit };
}

/** Everyone who approved a pull request, except its author. */
export function approversOf({ approvers, author }: Record<string, unknown>): string[] {
  const isAuthor = (name: string) => name.toLowerCase() === String(author ?? "").toLowerCase();
  return (Array.isArray(approvers) ? approvers : []).flatMap((approver) => {
    if (typeof approver === "string") return [approver];
    const { username, state } = fieldsIn(approver);
    const approved = String(state).toUpperCase() === "APPROVED";
    return approved && typeof username === "string" && !isAuthor(username) ? [username] : [];
  });
}

interface Approving {
  orgId: string;
  /** By id. Approvals name their environment. */
  environmentNames: ReadonlyMap<string, string>;
  /** Identifiers of the controls whose decisions approve. Default: all. */
  controls?: readonly string[] | undefined;
}

/** The approvers of each artifact before its deployment, by the id of the deployment. Absent without any. */
export async function approversOfDeployments(
  db: Database,
  deployments: readonly DeploymentPlace[],
  { orgId, environmentNames, controls }: Approving,
): Promise<ReadonlyMap<number, string[]>> {
  const fingerprints = [...new Set(deployments.map(({ fingerprint }) => fingerprint))];
  const approvals = await approvalsOf(db, orgId, fingerprints);
  const decisions = await decisionsAbout(db, orgId, fingerprints);
  return new Map(
    deployments.flatMap(({ id, fingerprint, environmentId, deployedAt }) => {
      const name = environmentNames.get(environmentId);
      const approval = approvals
        .get(fingerprint)
        ?.findLast(
          ({ environment, last_modified_at }) =>
            last_modified_at <= deployedAt && (environment === null || environment === name),
        );
      const decided = (decisions.get(fingerprint) ?? []).filter(
        ({ control, created_at }) => created_at <= deployedAt && (controls?.includes(control) ?? true),
      );
      const latest = new Map(decided.map((decision) => [decision.control, decision]));
      const names = [
        ...(approval?.state === "APPROVED" ? reviewersIn(approval.reviews) : []),
        ...[...latest.values()].flatMap(({ is_compliant, by }) => (is_compliant === 1 ? [by] : [])),
      ];
      return names.length === 0 ? [] : [[id, [...new Set(names)]] as const];
    }),
  );
}

/** Whether an approver has the name of the author of the build's commit, or of the author's mailbox. */
export function areByAuthor(approvers: readonly string[], build: Build | undefined): boolean {
  const author = build && commitOf(build)?.["author"];
  if (typeof author !== "string") return false;
  const [, mailbox = ""] = /<(?:\d+\+)?([^@<>]+)@/.exec(author) ?? [];
  const names = [personName(author), mailbox].map((name) => name.toLowerCase()).filter(Boolean);
  return approvers.some((name) => names.includes(personName(name).toLowerCase()));
}

/** Oldest first; the last one decides. */
export async function approvalsOf(db: Database, orgId: string, fingerprints: readonly string[]) {
  const rows = await db
    .selectFrom((query) =>
      query
        .selectFrom("artifacts")
        .select(["fingerprint", "flow_id"])
        .distinct()
        .where("org_id", "=", orgId)
        .where("fingerprint", "in", listed(fingerprints))
        .as("reported"),
    )
    .innerJoin("approvals", (join) =>
      join
        .onRef("approvals.flow_id", "=", "reported.flow_id")
        .onRef("approvals.artifact_fingerprint", "=", "reported.fingerprint"),
    )
    .select(["reported.fingerprint", "approvals.environment", "approvals.state", "approvals.reviews"])
    .select("approvals.last_modified_at")
    .orderBy("approvals.created_at")
    .orderBy("approvals.number")
    .execute();
  return valuesByKey(rows, (row) => [row.fingerprint, row]);
}

/** Oldest first. */
async function decisionsAbout(db: Database, orgId: string, fingerprints: readonly string[]) {
  const rows = await db
    .selectFrom("control_decisions as decision")
    .innerJoin("attestations", "attestations.id", "decision.attestation_id")
    .select(["decision.artifact_fingerprint as fingerprint", "decision.control", "decision.is_compliant"])
    .select(["decision.created_at", "attestations.created_by as by"])
    .where("decision.org_id", "=", orgId)
    .where("decision.artifact_fingerprint", "in", listed(fingerprints))
    .orderBy("attestations.sequence")
    .execute();
  return valuesByKey(rows, (row) => [row.fingerprint ?? "", row]);
}

/** Names of the people whose reviews approve. */
export function reviewersIn(reviews: string): string[] {
  const all: readonly { state: string; approved_by: string }[] = JSON.parse(reviews);
  return all.filter(({ state }) => state === "APPROVED").map(({ approved_by }) => approved_by);
}
