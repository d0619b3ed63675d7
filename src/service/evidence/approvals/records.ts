import { expressionBuilder } from "kysely";
import { appendApprovalEvent } from "../../approvals/append-event.ts";
import { NotFound } from "../../kernel/errors.ts";
import type { Slice } from "../../kernel/paging.ts";
import type { RequestContext } from "../../kernel/request-context.ts";
import { namesIn, type Scope } from "../../kernel/scope.ts";
import { valuesByKey } from "../../kernel/values-by-key.ts";
import { recordOrigin } from "../../origins/record-origin.ts";
import { nextNumber } from "../../store/counters.ts";
import { isAmong, listed } from "../../store/dialect.ts";
import { newId } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { unknownArtifact } from "../artifacts/records.ts";
import type { Flow } from "../flows/records.ts";
import { authorsOf } from "../origins/authors.ts";

export type StoredApproval = Tables["approvals"];

export interface NewApproval {
  artifactFingerprint: string;
  artifactName: string;
  environment: string | null;
  description: string;
  /** sha1 in hex. */
  commits: readonly string[];
  /** The commit before them. */
  oldestCommit: string | null;
  /** JSON. */
  reviews: string;
  state: StoredApproval["state"];
  /** JSON. */
  userData: string | null;
}

/** Records an approval under the next number of its flow, and returns that. */
export async function addApproval(
  db: Database,
  flow: Flow,
  approval: NewApproval,
  requestContext: RequestContext,
): Promise<{ id: string; number: number }> {
  const { accountName, now } = requestContext;
  const id = newId();
  const number = await nextNumber(db, "flows", flow.id);
  const { oldestCommit, commits, artifactFingerprint, artifactName, userData, ...fields } = approval;
  await db
    .insertInto("approvals")
    .values({
      ...fields,
      id,
      flow_id: flow.id,
      number,
      artifact_fingerprint: artifactFingerprint,
      artifact_name: artifactName,
      base_artifact: oldestCommit === null ? "" : await artifactBuiltFrom(db, flow.id, oldestCommit),
      commits: JSON.stringify(commits),
      user_data: userData,
      created_by: accountName,
      created_at: now,
      last_modified_at: now,
    })
    .execute();
  const judged = { flowId: flow.id, fingerprint: artifactFingerprint, commits };
  const by = requestContext.workflow?.claims;
  const authors = by && (await authorsOf(db, { ...judged, by }));
  await recordOrigin(db, requestContext, { kind: "approval", id, said: {}, authors });
  await appendApprovalEvent(db, { ...approval, id, number, flowId: flow.id }, requestContext);
  return { id, number };
}

async function lastNumber(db: Database, flowId: string): Promise<number> {
  const latest = await db
    .selectFrom("approvals")
    .select("number")
    .where("flow_id", "=", flowId)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return latest?.number ?? 0;
}

/** The fingerprint of the latest artifact that a flow built from a commit; empty when there is none. */
async function artifactBuiltFrom(db: Database, flowId: string, commitSha: string): Promise<string> {
  const artifact = await db
    .selectFrom("artifacts")
    .select("fingerprint")
    .where("flow_id", "=", flowId)
    .where("commit_sha", "=", commitSha)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return artifact?.fingerprint ?? "";
}

/**
 * What the latest report of an artifact in a flow calls it.
 *
 * @throws NotFound when the flow does not know it
 */
export async function requireArtifactName(
  db: Database,
  { flow, orgName, fingerprint }: { flow: Flow; orgName: string; fingerprint: string },
): Promise<string> {
  const artifact = await db
    .selectFrom("artifacts")
    .select("filename")
    .where("flow_id", "=", flow.id)
    .where("fingerprint", "=", fingerprint)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!artifact) throw unknownArtifact(orgName, flow.name, fingerprint);
  return artifact.filename;
}

/** Whether an approval is for an environment of a scope, or for none: another is as if it were not there. */
function isInScope(scope: Scope) {
  const names = namesIn(scope, "environments");
  const { or, eb } = expressionBuilder<Tables, "approvals">();
  return or([eb("approvals.environment", "is", null), isAmong("approvals.environment", names)]);
}

/** A slice of the approvals of a flow, newest first. */
export async function listApprovals(
  db: Database,
  { flowId, scope }: { flowId: string; scope: Scope },
  { limit, offset }: Slice,
): Promise<StoredApproval[]> {
  return db
    .selectFrom("approvals")
    .selectAll()
    .where("flow_id", "=", flowId)
    .where(isInScope(scope))
    .orderBy("number", "desc")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** The approvals of an artifact, oldest first. */
export async function approvalsOfArtifact(
  db: Database,
  { flowId, fingerprint, scope }: { flowId: string; fingerprint: string; scope: Scope },
): Promise<StoredApproval[]> {
  return db
    .selectFrom("approvals")
    .selectAll()
    .where("flow_id", "=", flowId)
    .where("artifact_fingerprint", "=", fingerprint)
    .where(isInScope(scope))
    .orderBy("number")
    .execute();
}

/**
 * The approval of that number. A negative one counts from the end: -1 is the latest.
 *
 * @throws NotFound
 */
export async function requireApproval(
  db: Database,
  { flow, orgName, number, scope }: { flow: Flow; orgName: string; number: number; scope: Scope },
): Promise<StoredApproval> {
  const approval = await db
    .selectFrom("approvals")
    .selectAll()
    .where("flow_id", "=", flow.id)
    .where(isInScope(scope))
    .where("number", "=", number < 0 ? (await lastNumber(db, flow.id)) + 1 + number : number)
    .executeTakeFirst();
  if (approval) return approval;
  throw new NotFound(
    `Approval number '${number}' does not exist in flow '${flow.name}' belonging to organization '${orgName}'`,
  );
}

/** Fingerprints of the artifacts that a flow built from each of some commits. */
export async function artifactsOfCommits(
  db: Database,
  flowId: string,
  commits: readonly string[],
): Promise<ReadonlyMap<string | null, string[]>> {
  const asked = [...new Set(commits)];
  const rows = await db
    .selectFrom("artifacts")
    .select(["commit_sha", "fingerprint"])
    .distinct()
    .where("flow_id", "=", flowId)
    .where("commit_sha", "in", listed(asked))
    .orderBy("fingerprint")
    .execute();
  return valuesByKey(
    rows,
    ({ commit_sha }) => commit_sha,
    ({ fingerprint }) => fingerprint,
  );
}
