/** What happened, as a webhook is told in the field `type`. */
export type NotificationType =
  | "trail.started"
  | "artifact.reported"
  | "attestation.recorded"
  | "approval.recorded"
  | "approval.approved"
  | "artifact.started"
  | "artifact.exited"
  | "artifact.scaled"
  | "artifact.allowed"
  | "environment.non_compliant"
  | "environment.compliant"
  | "api_key.expiring";

interface Happened {
  version: "1.0";
  type: NotificationType;
  /** The trigger without its `ON_`: `STARTED_TRAIL`. */
  event_type: string;
  /** When it happened, in whole Unix seconds, as text. */
  timestamp: string;
  /** Counts up with what happens in the organization: of two bodies about one thing, the higher one is newer. */
  sequence: number;
  org: string;
  /** That nothing happened: somebody tries whether it arrives. */
  test?: true;
  /** What happened, in a sentence. */
  description: string;
  /** Why the state below is not compliant, the weightiest first: at most five. Empty when it is. */
  reasons: string[];
  /** The commit that it is about, as far as it is known. */
  commit?: { sha: string; author: string | null; message: string | null; html_url: string | null };
  /** The run that recorded it: a workflow run, a build. */
  run_url?: string;
}

/** What a webhook is sent of something that happened in a flow. Addresses lead to pages of the service. */
export interface FlowNotification extends Happened {
  flow: { name: string; html_url: string };
  /** The trail as the event left it. Absent for an artifact or approval that belongs to no trail. */
  trail?: {
    name: string;
    compliance_state: "COMPLIANT" | "NON-COMPLIANT" | "INCOMPLETE";
    html_url: string;
  };
  artifact?: { name: string; fingerprint: string; html_url: string };
  attestation?: {
    attestation_id: string;
    name: string;
    type: string;
    is_compliant: boolean;
    html_url: string;
  };
  approval?: { number: number; state: "PENDING" | "APPROVED" | "UNAPPROVED" };
}

/** An artifact that runs, or ran, in an environment. */
export interface RunningNotification {
  name: string;
  fingerprint: string;
  /** Where it was built, when that is known. */
  provenance?: {
    flow: string;
    status: "compliant" | "non-compliant";
    commit: string | null;
    commit_url: string | null;
    html_url: string;
    api_url: string;
    build_url: string | null;
  };
}

/** What a webhook is sent of something that happened in an environment. */
export interface EnvironmentNotification extends Happened {
  environment: string;
  /** The snapshot that the event left. Absent before the first. */
  snapshot?: {
    /** Its number, as text. */
    index: string;
    status: "compliant" | "non-compliant" | "unknown";
    html_url: string;
    api_url: string;
  };
  artifact?: RunningNotification;
  /** For people, of many that happened at once: how many, and the first twenty of them. */
  artifacts?: { count: number; first: RunningNotification[] };
}

/** What a webhook is sent of something that concerns the organization itself. */
export interface OrganizationNotification extends Happened {
  /** The key that is about to expire, by its id: the key itself is nowhere. */
  api_key: {
    id: string;
    description: string;
    service_account: string;
    /** Unix seconds. */
    expires_at: number;
    /** How many days are left, rounded up. */
    days_left: number;
    /** The page of the account, where its keys can be replaced. */
    html_url: string;
  };
}

export type NotificationPayload = FlowNotification | EnvironmentNotification | OrganizationNotification;
