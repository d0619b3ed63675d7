import { ROLES, type Role } from "../../api/resources/service-accounts.ts";
import type { Links } from "./links.ts";
import type { Proof } from "./proof.ts";
import type { Scope } from "./scope.ts";

export { ROLES, type Role };

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}

interface Workflow {
  readonly originId: string;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly url: string | null;
  readonly proof: Proof;
  /** For this request only: the run that created its content, as the request claims. */
  readonly spooledBy?: string;
}

export interface Caller {
  /** The key's id; for a workflow, the key that all its tokens share. */
  keyId: string;
  accountId: string;
  accountName: string;
  orgId: string;
  role: Role;
  scope: Scope;
  /** Whether the key may replace itself, regardless of its other rights. */
  mayRotateItself?: boolean;
  /** Present for the command line of a person. */
  sessionId?: string;
  /** Present for a workflow with a proven identity. */
  workflow?: Workflow;
  /** Present for a person who signed in. */
  person?: { readonly id: string };
  spooledBy?: string;
}

export interface Organization {
  id: string;
  name: string;
}

/** A visitor who needs no account, because the organization is public or a link shows the page. */
export function visitor(org: Organization, accountName: string): Caller {
  return { keyId: "", accountId: "", accountName, orgId: org.id, role: "reader", scope: null };
}

export function everybodyIn(org: Organization): Caller {
  return visitor(org, "everybody");
}

export interface RequestContext
  extends Pick<Caller, "orgId" | "accountName" | "workflow" | "person" | "spooledBy"> {
  isScoped?: boolean;
  /** Unix seconds. */
  now: number;
}

export interface RequestSource {
  /** Null if the client has disconnected. */
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Needed to notify about a write. */
export interface Notifier {
  readonly org: Organization;
  readonly links: Links;
  readonly deliveries: { wake(): void };
}

/** An event as the evidence log has it. */
export interface Leaf {
  readonly eventId: string;
  /** Its sha256, in hex. */
  readonly digest: string;
}

export interface ActContext extends RequestContext, RequestSource {
  /** Null for the command line and the service itself. */
  readonly accountId: string | null;
  /** Null for the command line. */
  readonly keyId: string | null;
  /** Absent on the command line, which sends no notifications. */
  readonly notifier?: Notifier;
  /** Takes the events of a request, for its receipt. */
  readonly leaves?: Leaf[];
}
