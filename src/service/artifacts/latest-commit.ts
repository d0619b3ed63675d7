import type { Database } from "../store/tables.ts";

/**
 * The commit of the artifact of a flow that came last before the given one; of those built on a branch, when one is
 * given. Null when there is none. An artifact that was not reported yet comes after all others.
 */
export async function latestCommit(
  db: Database,
  {
    flowId,
    fingerprint,
    branch,
  }: {
    flowId: string;
    /** May be the start of it. */
    fingerprint: string;
    branch?: string | undefined;
  },
): Promise<string | null> {
  const { first } = await db
    .selectFrom("artifacts")
    .select(({ fn }) => fn.min<number | null>("sequence").as("first"))
    .where("flow_id", "=", flowId)
    .where("fingerprint", ">=", fingerprint)
    // In hex, nothing that starts with the prefix comes after the prefix and a `g`.
    .where("fingerprint", "<", `${fingerprint}g`)
    .executeTakeFirstOrThrow();
  let earlier = db
    .selectFrom("artifacts")
    .select("commit_sha")
    .where("flow_id", "=", flowId)
    .where("commit_sha", "is not", null)
    .orderBy("sequence", "desc")
    .limit(1);
  if (first !== null) earlier = earlier.where("sequence", "<", first);
  if (branch !== undefined) earlier = earlier.where("branch", "=", branch);
  return (await earlier.executeTakeFirst())?.commit_sha ?? null;
}
