import { serviceContext } from "../events/audit-log/contexts.ts";
import type { OrganizationContent } from "../events/projections/raise.ts";
import { record } from "../events/record.ts";
import { tryEach } from "../kernel/try-each.ts";
import type { ServiceContext } from "../operation/context.ts";
import type { Job } from "../ops/jobs.ts";
import type { Database } from "../store/tables.ts";

type Parts = Pick<ServiceContext, "store" | "links" | "deliveries" | "now">;

const HOUR_MS = 60 * 60 * 1000;

/** Warns of expiring keys every hour, in the audit log and with notification rules. */
export function warnOfExpiringKeys(parts: Parts): Job {
  const { store } = parts;
  return {
    name: "keys",
    failure: "Failed to warn about API keys that expire soon",
    everyMs: HOUR_MS,
    async run(stop) {
      const now = parts.now();
      const keys = await expiringKeys(store.read, { now, until: now + FIRST_WARNING_DAYS * DAY });
      // The next run retries what failed.
      const failure = await tryEach(keys, {
        stop,
        async run(key) {
          const days = dueWarning(key, now);
          if (days === undefined) return;
          await store.write((db) => warn(db, { ...parts, key, days, at: now }), { orgId: key.org.id });
        },
        failed: ({ id }) => `Failed to warn of the API key '${id}'`,
      });
      if (failure !== undefined) throw failure;
    },
  };
}

interface Warning extends Parts {
  key: ExpiringKey;
  days: number;
  /** Unix seconds. */
  at: number;
}

async function warn(db: Database, { key, days, at, links, deliveries }: Warning): Promise<void> {
  const { id, org, account, description, expiresAt } = key;
  if (!(await claimWarning(db, id, days))) return;
  const daysLeft = Math.ceil((expiresAt - at) / DAY);
  const content: OrganizationContent = {
    description: `The API key '${description}' of the service account '${account}' expires in ${daysLeft === 1 ? "a day" : `${daysLeft} days`}.`,
    reasons: [],
    api_key: {
      id,
      description,
      service_account: account,
      expires_at: expiresAt,
      days_left: daysLeft,
      html_url: links.account(org.name, account),
    },
  };
  const by = { ...serviceContext(org.id, at), notifier: { org, links, deliveries } };
  await record(db, by, {
    type: "api_key.expiring",
    subject: { name: account, id },
    data: { details: { description, expires_at: expiresAt } },
    seen: { content },
  });
}

const DAY = 24 * 60 * 60;

/** Days before expiry, from the last warning to the first. */
const WARNING_DAYS = [1, 3, 14] as const;
const FIRST_WARNING_DAYS = 14;

/**
 * The warning that is due for a key, in days before its expiry. Undefined if none is due or it was already given. There is
 * no warning of more days than the key's lifetime. If several warnings were missed, only the last one is due.
 */
export function dueWarning(
  { createdAt, expiresAt, warnedDays }: Pick<ExpiringKey, "createdAt" | "expiresAt" | "warnedDays">,
  now: number,
): number | undefined {
  const left = expiresAt - now;
  const days = left > 0 ? WARNING_DAYS.find((each) => left <= each * DAY) : undefined;
  if (days === undefined || (warnedDays !== null && warnedDays <= days)) return undefined;
  return expiresAt - createdAt > days * DAY ? days : undefined;
}

type ExpiringKey = Awaited<ReturnType<typeof expiringKeys>>[number];

/** Keys by expiry, without rotated ones, which have a successor. `warnedDays` is null before the first warning. */
async function expiringKeys(db: Database, { now, until }: { now: number; until: number }) {
  const rows = await db
    .selectFrom("api_keys")
    .innerJoin("service_accounts as account", "account.id", "api_keys.service_account_id")
    .innerJoin("organizations", "organizations.id", "account.org_id")
    .select(["api_keys.id", "api_keys.description", "account.name as account"])
    .select(["organizations.id as orgId", "organizations.name as orgName"])
    .select(["api_keys.created_at as createdAt", "api_keys.expires_at as expiresAt"])
    .select("api_keys.expiry_told_days as warnedDays")
    .where("api_keys.kind", "=", "key")
    .where("api_keys.expires_at", ">", now)
    .where("api_keys.expires_at", "<=", until)
    .where("api_keys.revoked_at", "is", null)
    .where("account.deleted_at", "is", null)
    .orderBy("api_keys.expires_at")
    .orderBy("api_keys.id")
    .$narrowType<{ expiresAt: number }>()
    .execute();
  return rows.map(({ orgId, orgName, ...key }) => ({ ...key, org: { id: orgId, name: orgName } }));
}

/** @returns false when another instance was first, or the key was revoked or rotated */
async function claimWarning(db: Database, keyId: string, days: number): Promise<boolean> {
  const claimed = await db
    .updateTable("api_keys")
    .set({ expiry_told_days: days })
    .where("id", "=", keyId)
    .where("revoked_at", "is", null)
    .where(({ or, eb }) => or([eb("expiry_told_days", "is", null), eb("expiry_told_days", ">", days)]))
    .returning("id")
    .execute();
  return claimed.length > 0;
}
