import { ROLES, type Role } from "../../api/resources/service-accounts.ts";
import type { Links } from "./links.ts";
import type { Scope } from "./scope.ts";

export { ROLES, type Role };

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

interface Workflow {
  readonly originId: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly url: string | null;
  /** Of this request alone: which run made what it sends, as it says. */
  readonly spooledBy?: string;
}

export interface Caller {
  /** The key; of a workflow the one that all its tokens have in common. */
  keyId: string;
  accountId: string;
  accountName: string;
  orgId: string;
  role: Role;
  scope: Scope;
  /** Whether the key may replace itself, whatever else it may do. */
  mayRotateItself?: boolean;
  /** Present for a workflow that has proven who it is. */
  workflow?: Workflow;
  spooledBy?: string;
}

export interface Organization {
  id: string;
  name: string;
}

export interface RequestContext extends Pick<Caller, "orgId" | "accountName" | "workflow" | "spooledBy"> {
  isScoped?: boolean;
  /** Unix seconds. */
  now: number;
}

export interface RequestSource {
  /** Null when its sender has hung up already. */
  readonly address: string | null;
  readonly requestId: string | null;
}

/** What notifications of a write need. */
export interface Notifier {
  readonly org: Organization;
  readonly links: Links;
  readonly deliveries: { wake(): void };
}

export interface ActContext extends RequestContext, RequestSource {
  /** Null for the command line and the service itself. */
  readonly accountId: string | null;
  /** Null for what is done on the command line. */
  readonly keyId: string | null;
  /** Absent on the command line, where nothing is notified. */
  readonly notifier?: Notifier;
}
