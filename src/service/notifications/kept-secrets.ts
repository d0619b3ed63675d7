import type { Database } from "../store/tables.ts";

/** Whether anything is on record that only the key can open which it was sealed with. */
export async function holdsSecrets(db: Database): Promise<boolean> {
  const target = await db
    .selectFrom("notification_targets")
    .select("id")
    .where(({ eb, or }) => or([eb("secret", "is not", null), eb("token", "is not", null)]))
    .limit(1)
    .executeTakeFirst();
  if (target) return true;
  const signs = db.selectFrom("organizations").select("id").where("signing_key", "is not", null);
  return (await signs.limit(1).executeTakeFirst()) !== undefined;
}
