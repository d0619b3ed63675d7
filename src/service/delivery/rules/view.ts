import { type Action, putEnvironmentAction } from "../../../api/resources/notifications.ts";
import { may } from "../../kernel/access.ts";
import type { Caller } from "../../kernel/caller.ts";
import type { SecretBox } from "../../operation/context.ts";
import { mailTarget } from "../../store/target-addresses.ts";
import type { StoredAction } from "./records.ts";
import { openedAddress } from "./secrets.ts";
import type { TargetRow } from "./targets.ts";

interface Viewing {
  readonly caller: Caller;
  readonly secrets: SecretBox;
}

/** Flow actions have the same fields, with flows instead of environments. Organization actions have neither. */
export function environmentNotificationView(
  action: StoredAction,
  targets: readonly TargetRow[],
  { caller, secrets }: Viewing,
) {
  const whole = may(caller, putEnvironmentAction, {}) ? secrets : undefined;
  const { lastSuccessAt, lastFailureAt } = timesOf(targets);
  const wasTried = lastSuccessAt !== null || lastFailureAt !== null;
  return {
    name: action.name,
    type: action.type,
    number: action.number,
    environments: listIn(action.environments),
    triggers: listIn(action.triggers),
    ...(action.muted_until === null ? {} : { mutedUntil: action.muted_until }),
    targets: targetsIn(action).map((target) => targetView(target, rowsOf(target, targets), whole)),
    createdBy: action.created_by,
    isCreatedFromSlackApp: false,
    isFailing: wasTried ? targets.some(({ failing_since }) => failing_since !== null) : null,
    lastSuccessTimestamp: lastSuccessAt,
    lastFailureTimestamp: lastFailureAt,
    createdAt: action.created_at,
    lastModifiedAt: action.last_modified_at,
  };
}

export function actionView(action: StoredAction, targets: readonly TargetRow[], viewing: Viewing): Action {
  return {
    ...environmentNotificationView(action, targets, viewing),
    flows: action.type === "flow" ? listIn(action.flows) : null,
    environments: action.type === "env" ? listIn(action.environments) : null,
  };
}

/** Targets without secrets. `rows` may include former targets. */
export function shownTargets(action: Pick<StoredAction, "targets">, rows: readonly TargetRow[]): object[] {
  return targetsIn(action).map((target) =>
    target.webhook === undefined ? target : { ...target, webhook: rowsOf(target, rows)[0]?.shown },
  );
}

function targetsIn({ targets }: Pick<StoredAction, "targets">): StoredTarget[] {
  return JSON.parse(targets);
}

function listIn(column: string): string[] {
  return JSON.parse(column);
}

/** The rows of a target. A list of email addresses has one row per address. */
function rowsOf(target: StoredTarget, rows: readonly TargetRow[]): TargetRow[] {
  const { webhook, emails = [] } = target;
  const mails = emails.map((address) => mailTarget(address).key);
  const keys = new Set(webhook === undefined ? mails : [webhook, ...mails]);
  return rows.filter(({ address_key }) => keys.has(address_key));
}

function timesOf(rows: readonly TargetRow[]) {
  return {
    lastSuccessAt: latest(rows.map(({ last_success_at }) => last_success_at)),
    lastFailureAt: latest(rows.map(({ last_failure_at }) => last_failure_at)),
  };
}

function latest(times: readonly (number | null)[]): number | null {
  return times.reduce((one, other) => (one === null || (other !== null && other > one) ? other : one), null);
}

export interface StoredTarget {
  type: string;
  /** The key of its row, which has the address. */
  webhook?: string;
  emails?: string[];
  [field: string]: unknown;
}

/**
 * A webhook address is a secret, because anyone who has it can post to it. An email address is personal. Both are
 * shown only to callers who may change them.
 */
function targetView(
  target: StoredTarget,
  rows: readonly TargetRow[],
  whole: SecretBox | undefined,
): StoredTarget {
  const context = target.type === "SLACK" ? { context: null } : {};
  const { lastSuccessAt, lastFailureAt } = timesOf(rows);
  const shown = { ...context, last_success_at: lastSuccessAt, last_failure_at: lastFailureAt, ...target };
  const { emails } = target;
  if (emails !== undefined && !whole) return { ...shown, emails: emails.map(shortenedMail) };
  const [row] = rows;
  if (target.webhook === undefined || row === undefined) return shown;
  return { ...shown, webhook: (whole && openedAddress(row, whole)) ?? row.shown };
}

/** `a…@example.org`, which is not a valid address, so sending it back is refused. */
function shortenedMail(address: string): string {
  const at = address.lastIndexOf("@");
  const [first = ""] = address;
  return `${at > 1 ? first : ""}…${address.slice(at)}`;
}
