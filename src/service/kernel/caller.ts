import type { Role } from "./roles.ts";
import type { Scope } from "./scope.ts";

/** What was proven of the workflow that a request comes from. */
export interface Workflow {
  readonly originId: string;
  /** What its token said. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** The page of its run. */
  readonly url: string | null;
  /** Of this request alone: which run made what it sends, as it says. */
  readonly spooledBy?: string;
}

/** The account that a request comes from. */
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
  /** The run that spooled this request, as the request says. */
  spooledBy?: string;
}
