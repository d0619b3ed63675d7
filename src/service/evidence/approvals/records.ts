import { record } from "../../events/record.ts";
import type { ActContext } from "../../kernel/caller.ts";
import { nextNumber } from "../../store/counters.ts";
import { newIdOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { unknownArtifact } from "../artifacts/records.ts";
import type { Flow } from "../flows/records.ts";
import { authorsOf, claimsOf } from "../origins/authors.ts";

export interface NewApproval {
  artifactFingerprint: string;
  artifactName: string;
  environment: string | null;
  environmentId: string | null;
  description: string;
  commits: string[];
  oldestCommit: string | null;
  reviews: string;
  state: Tables["approvals"]["state"];
  reviewer: string | null;
  userData: string | null;
}

export async function addApproval(
  db: Database,
  flow: Flow,
  approval: NewApproval,
  by: ActContext,
): Promise<void> {
  const { accountName, now } = by;
  const id = newIdOf(now);
  const number = await nextNumber(db, "flows", flow.id);
  const { oldestCommit, commits, artifactFingerprint, artifactName, userData, reviewer } = approval;
  const row = {
    flow_id: flow.id,
    number,
    artifact_fingerprint: artifactFingerprint,
    artifact_name: artifactName,
    environment: approval.environment,
    description: approval.description,
    state: approval.state,
    reviews: approval.reviews,
    user_data: userData,
  };
  await db
    .insertInto("approvals")
    .values({
      ...row,
      id,
      base_artifact: oldestCommit === null ? "" : await artifactBuiltFrom(db, flow.id, oldestCommit),
      commits: JSON.stringify(commits),
      created_by: accountName,
      created_at: now,
      last_modified_at: now,
    })
    .execute();
  const claims = claimsOf(by);
  const query = { flowId: flow.id, fingerprint: artifactFingerprint, commits };
  const authors = claims && (await authorsOf(db, { ...query, by: claims }));
  await record(db, by, {
    type: "approval.recorded",
    subject: { id, name: `${flow.name}#${number}` },
    trailId: await latestTrailOf(db, { flowId: flow.id, fingerprint: artifactFingerprint }),
    data: { ...row, commits, environment_id: approval.environmentId, reviewer },
    seen: { place: { flow }, authors },
  });
}

async function latestTrailOf(db: Database, { flowId, fingerprint }: { flowId: string; fingerprint: string }) {
  const report = await db
    .selectFrom("artifacts")
    .select("trail_id")
    .where("flow_id", "=", flowId)
    .where("fingerprint", "=", fingerprint)
    .where("trail_id", "is not", null)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirst();
  return report?.trail_id ?? null;
}

/** Empty if no artifact was built from the commit. */
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

/** @throws NotFound when the flow has no such artifact */
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
