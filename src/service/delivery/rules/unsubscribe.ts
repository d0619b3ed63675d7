import { NotFound } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import type { SecretBox, ServiceContext } from "../../operation/context.ts";
import type { Database } from "../../store/tables.ts";
import { recordEndedTarget } from "./rule-events.ts";
import { openedIn, withKey } from "./secrets.ts";
import { changeTarget } from "./targets.ts";

/** The owner of encrypted target ids in unsubscribe links. */
const OWNER = "unsubscribe";
const REASON = "The recipient unsubscribed";

/** Undefined if the service has no key, or no https address, which email clients require. */
export function unsubscribeAddress(
  targetId: string,
  { links, secrets }: { links: Pick<Links, "unsubscribe">; secrets: SecretBox },
): string | undefined {
  const address = withKey(() => links.unsubscribe(secrets.seal(OWNER, targetId)));
  return address?.startsWith("https:") ? address : undefined;
}

/** @throws NotFound */
async function targetOf(db: Database, token: string, secrets: SecretBox) {
  const id = openedIn(secrets, OWNER, token);
  const target = await db
    .selectFrom("notification_targets as target")
    .innerJoin("actions", "actions.id", "target.action_id")
    .select(["target.id", "target.org_id", "target.kind", "target.position", "target.ended_at"])
    .select(["actions.name", "actions.number"])
    .where("target.id", "=", id ?? "")
    .where("target.removed_at", "is", null)
    .executeTakeFirst();
  if (target !== undefined) return target;
  const problem = "This unsubscribe link is invalid, or the rule has changed";
  throw new NotFound("notification_rule.target_not_found", problem);
}

/** The name of the rule. @throws NotFound */
export async function subscriptionOf({ store, secrets }: ServiceContext, token: string): Promise<string> {
  return (await targetOf(store.read, token, secrets)).name;
}

/** Disables the target of the recipient. An admin can enable it again. @throws NotFound */
export async function unsubscribe({ store, secrets, now }: ServiceContext, token: string): Promise<void> {
  await store.write(async (db) => {
    const target = await targetOf(db, token, secrets);
    if (target.ended_at !== null) return;
    const ended = { ended_at: now(), ended_because: REASON };
    await changeTarget(db, target.id, ended);
    await recordEndedTarget(db, target, { ...target, ...ended }, ended.ended_at);
  });
}
