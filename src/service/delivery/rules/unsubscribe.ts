import { recordAct } from "../../audit-log/record-act.ts";
import { serviceContext } from "../../events/audit-log/service-itself.ts";
import { Conflict, NotFound } from "../../kernel/errors.ts";
import type { Links } from "../../kernel/links.ts";
import { openedIn } from "../../notifications/organization-key.ts";
import { numberOf } from "../../notifications/targets-of-action.ts";
import type { SecretBox, ServiceContext } from "../../operation/context.ts";
import type { Database } from "../../store/tables.ts";

/** The owner of sealed target ids that are links to unsubscribe. */
const OWNER = "unsubscribe";
const REASON = "The recipient unsubscribed";

/**
 * The address at which the recipient of a mail unsubscribes. Undefined if the service has no key to sign it with, or is not
 * reached by https, which mail programs require.
 */
export function unsubscribeAddress(
  targetId: string,
  { links, secrets }: { links: Pick<Links, "unsubscribe">; secrets: SecretBox },
): string | undefined {
  try {
    const address = links.unsubscribe(secrets.seal(OWNER, targetId));
    return address.startsWith("https:") ? address : undefined;
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    return undefined;
  }
}

/** The target that a link unsubscribes. @throws NotFound */
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
  if (target === undefined)
    throw new NotFound("This link to unsubscribe is not valid, or the rule has changed");
  return target;
}

/** The name of the rule that a link unsubscribes from. @throws NotFound */
export async function subscriptionOf({ store, secrets }: ServiceContext, token: string): Promise<string> {
  return (await targetOf(store.read, token, secrets)).name;
}

/** Switches off the target of a recipient who wants no more mails. An admin can enable it again. @throws NotFound */
export async function unsubscribe({ store, secrets, now }: ServiceContext, token: string): Promise<void> {
  await store.write(async (db) => {
    const target = await targetOf(db, token, secrets);
    if (target.ended_at !== null) return;
    const at = now();
    await db
      .updateTable("notification_targets")
      .set({ ended_at: at, ended_because: REASON })
      .where("id", "=", target.id)
      .execute();
    await recordAct(db, serviceContext(target.org_id, at), {
      act: "action.target_ended",
      resource: { name: target.name, id: String(target.number) },
      details: { target: numberOf(target), kind: target.kind, reason: REASON },
    });
  });
}
