import { type Action, putEnvironmentAction } from "../../api/notifications.ts";
import { isAllowed } from "../kernel/access.ts";
import type { Caller } from "../kernel/caller.ts";
import type { StoredAction } from "./records.ts";

/** What an environment action says; a flow action says the same of flows. */
export function environmentNotificationView(action: StoredAction, { role }: Pick<Caller, "role">) {
  const whole = isAllowed(role, putEnvironmentAction.access);
  return {
    name: action.name,
    type: action.type,
    number: action.number,
    environments: listIn(action.environments),
    triggers: listIn(action.triggers),
    targets: targetsIn(action).map((target) => targetView(target, { whole })),
    createdBy: action.created_by,
    isCreatedFromSlackApp: false,
    isFailing: action.is_failing === null ? null : action.is_failing === 1,
    lastSuccessTimestamp: action.last_success_at,
    lastFailureTimestamp: action.last_failure_at,
    createdAt: action.created_at,
    lastModifiedAt: action.last_modified_at,
  };
}

export function actionView(action: StoredAction, caller: Pick<Caller, "role">): Action {
  const isFlow = action.type === "flow";
  return {
    ...environmentNotificationView(action, caller),
    flows: isFlow ? listIn(action.flows) : null,
    environments: isFlow ? null : listIn(action.environments),
  };
}

/** The targets of an action without what is secret, for whoever may see them. */
export function shownTargets(action: Pick<StoredAction, "targets">): object[] {
  return targetsIn(action).map((target) =>
    target.webhook === undefined ? target : { ...target, webhook: shortened(target.webhook) },
  );
}

function targetsIn({ targets }: Pick<StoredAction, "targets">): StoredTarget[] {
  return JSON.parse(targets);
}

function listIn(column: string): string[] {
  return JSON.parse(column);
}

/** A notification target in the shape of the wire, as it is stored. */
export interface StoredTarget {
  type: string;
  webhook?: string;
  [field: string]: unknown;
}

/**
 * A target as it is answered. The address of a webhook is a secret: whoever has it can write into the channel. It is
 * shown whole only to those who may change it.
 */
function targetView(target: StoredTarget, { whole }: { whole: boolean }): StoredTarget {
  const context = target.type === "SLACK" ? { context: null } : {};
  const shown = { ...context, last_success_at: null, last_failure_at: null, ...target };
  return whole || target.webhook === undefined ? shown : { ...shown, webhook: shortened(target.webhook) };
}

/** The end of an address says which one it is, but of a short secret it would be all. */
const SHORTEST_SECRET = 12;
const SHOWN_CHARACTERS = 4;

/**
 * Host and last four characters: `hooks.slack.com/…a1b2`. It is no web address, so that the service refuses it when
 * it is sent back as one.
 */
function shortened(address: string): string {
  const { host, pathname, search, hash } = new URL(address);
  const secret = `${pathname}${search}${hash}`;
  const end = secret.length < SHORTEST_SECRET ? "" : secret.slice(-SHOWN_CHARACTERS);
  return `${host}/…${end}`;
}
