import { serviceContext } from "../events/audit-log/contexts.ts";
import type { KeyContent, ScimTokenContent } from "../events/projections/raise.ts";
import { record } from "../events/record.ts";
import { tryEach } from "../kernel/try-each.ts";
import type { ServiceContext } from "../operation/context.ts";
import type { Job } from "../ops/jobs.ts";
import type { Database } from "../store/tables.ts";

type Parts = Pick<ServiceContext, "store" | "links" | "deliveries" | "now">;

const HOUR_MS = 60 * 60 * 1000;

/** Warns of expiring API keys and SCIM tokens every hour, in the audit log and with notification rules. */
export function warnOfExpiringKeys(parts: Parts): Job {
  const { store } = parts;
  return {
    name: "keys",
    failure: "Failed to warn about API keys and SCIM tokens that expire soon",
    everyMs: HOUR_MS,
    async run(stop) {
      const now = parts.now();
      const within = { now, until: now + FIRST_WARNING_DAYS * DAY };
      const expiring: (ExpiringKey | ExpiringToken)[] = [
        ...(await expiringKeys(store.read, within)),
        ...(await expiringTokens(store.read, within)),
      ];
      // The next run retries what failed.
      const failure = await tryEach(expiring, {
        stop,
        async run(each) {
          const days = dueWarning(each, now);
          if (days === undefined) return;
          const warning = { ...parts, days, at: now };
          const orgId = each.org.id;
          await store.write(
            async (db) => {
              if (!(await claimWarning(db, each, days))) return;
              if (each.table === "api_keys") await warnOfKey(db, each, warning);
              else await warnOfToken(db, each, warning);
            },
            { orgId },
          );
        },
        failed: ({ table, id }) =>
          `Failed to warn of the ${table === "api_keys" ? "API key" : "SCIM token"} '${id}'`,
      });
      if (failure !== undefined) throw failure;
    },
  };
}

interface Warning extends Parts {
  /** Unix seconds. */
  at: number;
}

async function warnOfKey(db: Database, key: ExpiringKey, { at, links, deliveries }: Warning): Promise<void> {
  const { id, org, account, description, expiresAt } = key;
  const { daysLeft, inDays } = timeLeft(key, at);
  const content: KeyContent = {
    description: `The API key '${description}' of the service account '${account}' expires in ${inDays}.`,
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

async function warnOfToken(
  db: Database,
  token: ExpiringToken,
  { at, links, deliveries }: Warning,
): Promise<void> {
  const { id, org, provider, description, expiresAt } = token;
  const { daysLeft, inDays } = timeLeft(token, at);
  const content: ScimTokenContent = {
    description: `The SCIM token '${description}' of the login provider '${provider}' expires in ${inDays}.`,
    reasons: [],
    scim_token: {
      id,
      description,
      provider,
      expires_at: expiresAt,
      days_left: daysLeft,
      html_url: links.scimTokens(org.name),
    },
  };
  const by = { ...serviceContext(org.id, at), notifier: { org, links, deliveries } };
  await record(db, by, {
    type: "scim_token.expiring",
    subject: { name: description, id },
    data: { details: { provider, expires_at: expiresAt } },
    seen: { content },
  });
}

function timeLeft({ expiresAt }: { readonly expiresAt: number }, at: number) {
  const daysLeft = Math.ceil((expiresAt - at) / DAY);
  return { daysLeft, inDays: daysLeft === 1 ? "a day" : `${daysLeft} days` };
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
  return rows.map(({ orgId, orgName, ...key }) => ({
    ...{ ...key, table: "api_keys" as const },
    org: { id: orgId, name: orgName },
  }));
}

type ExpiringToken = Awaited<ReturnType<typeof expiringTokens>>[number];

/** SCIM tokens by expiry. */
async function expiringTokens(db: Database, { now, until }: { now: number; until: number }) {
  const rows = await db
    .selectFrom("scim_tokens as token")
    .innerJoin("organizations", "organizations.id", "token.org_id")
    .select(["token.id", "token.description", "token.provider"])
    .select(["organizations.id as orgId", "organizations.name as orgName"])
    .select(["token.created_at as createdAt", "token.expires_at as expiresAt"])
    .select("token.expiry_told_days as warnedDays")
    .where("token.expires_at", ">", now)
    .where("token.expires_at", "<=", until)
    .where("token.revoked_at", "is", null)
    .orderBy("token.expires_at")
    .orderBy("token.id")
    .$narrowType<{ expiresAt: number }>()
    .execute();
  return rows.map(({ orgId, orgName, ...token }) => ({
    ...{ ...token, table: "scim_tokens" as const },
    org: { id: orgId, name: orgName },
  }));
}

/** @returns false when another instance was first, or the key or token was revoked or rotated */
async function claimWarning(
  db: Database,
  { table, id }: Pick<ExpiringKey | ExpiringToken, "table" | "id">,
  days: number,
): Promise<boolean> {
  const claimed = await db
    .updateTable(table)
    .set({ expiry_told_days: days })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .where(({ or, eb }) => or([eb("expiry_told_days", "is", null), eb("expiry_told_days", ">", days)]))
    .returning("id")
    .execute();
  return claimed.length > 0;
}
