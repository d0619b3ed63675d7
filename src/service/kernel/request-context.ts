import type { Workflow } from "./caller.ts";

/** Who does something, in which organization, and when. */
export interface RequestContext {
  orgId: string;
  accountName: string;
  /** Present for a workflow that has proven who it is. */
  workflow?: Workflow;
  /** The run that spooled the request, as the request says. */
  spooledBy?: string;
  /** Whether it may touch only named flows and environments. */
  isScoped?: boolean;
  /** Unix seconds. */
  now: number;
}

/** Where a request comes from. */
export interface RequestSource {
  /** Null when its sender has hung up already. */
  readonly address: string | null;
  readonly requestId: string | null;
}

/** A request context with all that the audit log keeps of it. */
export interface ActContext extends RequestContext, RequestSource {
  /** Null for what is done on the command line. */
  readonly keyId: string | null;
}
