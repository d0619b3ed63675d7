import { recordAct } from "../audit-log/record-act.ts";
import { serviceContext } from "../events/audit-log/service-itself.ts";
import { type OrganizationContent, raise } from "../events/projections/raise.ts";
import { rulesOf } from "../events/projections/rules.ts";
import { DAY, dueWarning, FIRST_WARNING_DAYS } from "../key-expiry/due-warning.ts";
import { claimWarning, type EndingKey, endingKeys } from "../key-expiry/ending-keys.ts";
import type { ServiceContext } from "../operation/context.ts";
import type { Job } from "../ops/jobs.ts";
import type { Database } from "../store/tables.ts";

type Parts = Pick<ServiceContext, "store" | "links" | "deliveries" | "now">;

const HOUR_MS = 60 * 60 * 1000;

/** Warns of keys that are about to expire, once an hour: in the audit log, and by the rules of their organizations. */
export function warnOfEndingKeys(parts: Parts): Job {
  const { store } = parts;
  return {
    name: "keys",
    failure: "Nobody could be warned of keys that are about to expire",
    everyMs: HOUR_MS,
    async run(stop) {
      const now = parts.now();
      let failure: Error | undefined;
      for (const key of await endingKeys(store.read, { now, until: now + FIRST_WARNING_DAYS * DAY })) {
        if (stop.aborted) break;
        const days = dueWarning(key, now);
        if (days === undefined) continue;
        try {
          await store.write((db) => warn(db, { ...parts, key, days, at: now }));
        } catch (cause) {
          // The others have nothing to do with it. This one is tried again by the next run.
          failure ??= new Error(`Nobody could be warned of the API key '${key.id}'`, { cause });
        }
      }
      if (failure !== undefined) throw failure;
    },
  };
}

interface Warning extends Parts {
  key: EndingKey;
  days: number;
  /** Unix seconds. */
  at: number;
}

async function warn(db: Database, { key, days, at, links, deliveries }: Warning): Promise<void> {
  const { id, org, account, description, expiresAt } = key;
  if (!(await claimWarning(db, id, days))) return;
  await recordAct(db, serviceContext(org.id, at), {
    act: "api_key.expiring",
    resource: { name: account, id },
    details: { description, expires_at: expiresAt },
  });
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
  await raise(db, { org, deliveries, now: at }, await rulesOf(db, org.id, "org"), [
    { trigger: "ON_EXPIRING_API_KEY", place: org.name, each: () => [content] },
  ]);
}
