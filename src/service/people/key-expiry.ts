import { serviceContext } from "../events/audit-log/contexts.ts";
import type { AdmissionWebhookContent, KeyContent, ScimTokenContent } from "../events/projections/raise.ts";
import { record } from "../events/record.ts";
import { tryEach } from "../kernel/try-each.ts";
import type { ServiceContext } from "../operation/context.ts";
import type { Job } from "../ops/jobs.ts";
import type { Database } from "../store/tables.ts";
import {
  claimWarning,
  type Expiring,
  type ExpiringKey,
  type ExpiringToken,
  type ExpiringWebhook,
  expiringKeys,
  expiringTokens,
  expiringWebhooks,
} from "./expiring.ts";

type Parts = Pick<ServiceContext, "store" | "links" | "deliveries" | "now">;

const HOUR_MS = 60 * 60 * 1000;

const NAMES: Readonly<Record<Expiring["table"], string>> = {
  api_keys: "API key",
  scim_tokens: "SCIM token",
  admission_webhooks: "admission webhook",
};

/**
 * Warns of expiring API keys, SCIM tokens and admission webhooks every hour, in the audit log and with notification
 * rules.
 */
export function warnOfExpiringKeys(parts: Parts): Job {
  const { store, links, deliveries } = parts;
  return {
    name: "keys",
    failure: "Failed to warn about API keys, SCIM tokens and admission webhooks that expire soon",
    everyMs: HOUR_MS,
    async run(stop) {
      const now = parts.now();
      const within = { now, until: now + FIRST_WARNING_DAYS * DAY };
      const expiring: Expiring[] = [
        ...(await expiringKeys(store.read, within)),
        ...(await expiringTokens(store.read, within)),
        ...(await expiringWebhooks(store.read, within)),
      ];
      // The next run retries what failed.
      const failure = await tryEach(expiring, {
        stop,
        async run(each) {
          const days = dueWarning(each, now);
          if (days === undefined) return;
          const { org } = each;
          const notifier = { org, links, deliveries };
          const warning = { at: now, links, by: { ...serviceContext(org.id, now), notifier } };
          await store.write(
            async (db) => {
              if (!(await claimWarning(db, each, days))) return;
              if (each.table === "api_keys") await warnOfKey(db, each, warning);
              else if (each.table === "scim_tokens") await warnOfToken(db, each, warning);
              else await warnOfWebhook(db, each, warning);
            },
            { orgId: org.id },
          );
        },
        failed: ({ table, id }) => `Failed to warn of the ${NAMES[table]} '${id}'`,
      });
      if (failure !== undefined) throw failure;
    },
  };
}

interface Warning extends Pick<Parts, "links"> {
  /** Unix seconds. */
  readonly at: number;
  readonly by: Parameters<typeof record>[1];
}

async function warnOfKey(db: Database, key: ExpiringKey, { at, links, by }: Warning): Promise<void> {
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
  await record(db, by, {
    type: "api_key.expiring",
    subject: { name: account, id },
    data: { details: { description, expires_at: expiresAt } },
    seen: { content },
  });
}

async function warnOfToken(db: Database, token: ExpiringToken, { at, links, by }: Warning): Promise<void> {
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
  await record(db, by, {
    type: "scim_token.expiring",
    subject: { name: description, id },
    data: { details: { provider, expires_at: expiresAt } },
    seen: { content },
  });
}

async function warnOfWebhook(
  db: Database,
  webhook: ExpiringWebhook,
  { at, links, by }: Warning,
): Promise<void> {
  const { id, org, name, environment, expiresAt } = webhook;
  const { daysLeft, inDays } = timeLeft(webhook, at);
  const content: AdmissionWebhookContent = {
    description: `The admission webhook '${name}' of the environment '${environment}' expires in ${inDays}.`,
    reasons: [],
    admission_webhook: {
      ...{ id, name, environment, expires_at: expiresAt, days_left: daysLeft },
      html_url: links.admissionWebhooks(org.name),
    },
  };
  await record(db, by, {
    type: "admission_webhook.expiring",
    subject: { name, id },
    data: { details: { environment, expires_at: expiresAt } },
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
