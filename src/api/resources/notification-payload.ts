/** Event types of flows. */
type FlowEventType =
  | "trail.started"
  | "artifact.reported"
  | "attestation.recorded"
  | "approval.recorded"
  | "approval.approved"
  | "trail.compliant"
  | "trail.non_compliant"
  | "trail.incomplete"
  | "gate.refused"
  | "approval.needed";

/** Event types of environments. */
type EnvironmentEventType =
  | "artifact.started"
  | "artifact.exited"
  | "artifact.scaled"
  | "artifact.allowed"
  | "environment.non_compliant"
  | "environment.compliant";

/** The fields of every notification. */
interface Notification {
  /** Version of the payload. */
  version: "1.0";
  /** Trigger without its prefix `ON_`, such as `STARTED_TRAIL`. */
  event_type: string;
  /** Time of the event, in whole Unix seconds, as text. */
  timestamp: string;
  /** Number that grows with each event of the organization. A higher number means a later event. */
  sequence: number;
  /** Name of the organization. */
  org: string;
  /** Set in test deliveries, which describe no real event. */
  test?: true;
  /** The event in a sentence. */
  description: string;
  /** Reasons for non-compliance, the most severe first: at most five. Empty if the state is compliant. */
  reasons: string[];
  /** Commit of the event, if known. */
  commit?: {
    /** Full commit SHA. */
    sha: string;
    /** Author, as `Name <email>`. */
    author: string | null;
    /** Commit message. */
    message: string | null;
    /** Address of the commit at the code host. */
    html_url: string | null;
  };
  /** Address of the workflow run or build that recorded it. */
  run_url?: string;
}

/** The webhook payload of an event in a flow. Addresses lead to pages of the service. */
export interface FlowNotification extends Notification {
  /** Type of the event. */
  type: FlowEventType;
  /** Flow of the event. */
  flow: {
    /** Name of the flow. */
    name: string;
    /** Page of the flow. */
    html_url: string;
  };
  /** The trail after the event. Absent for an artifact or approval without a trail. */
  trail?: {
    /** Name of the trail. */
    name: string;
    /** Compliance of the trail. */
    compliance_state: "COMPLIANT" | "NON-COMPLIANT" | "INCOMPLETE";
    /** Page of the trail. */
    html_url: string;
  };
  /** Artifact of the event, if any. */
  artifact?: {
    /** Name of the artifact. */
    name: string;
    /** Sha256 fingerprint, in hex. */
    fingerprint: string;
    /** Page of the artifact. */
    html_url: string;
  };
  /** Recorded attestation, if any. */
  attestation?: {
    /** ID of the attestation. */
    attestation_id: string;
    /** Name of the attestation. */
    name: string;
    /** Type of the attestation, such as `junit`. */
    type: string;
    /** Whether the attestation is compliant. */
    is_compliant: boolean;
    /** Page of the attestation. */
    html_url: string;
  };
  /** Approval of the event, if any. */
  approval?: {
    /** Number of the approval in its flow. */
    number: number;
    /** State after the event. */
    state: "PENDING" | "APPROVED" | "UNAPPROVED";
  };
  /** Gate that refused the artifact, if any. Its `reasons` are those of the gate. */
  gate?: {
    /** Name of the environment that the artifact was checked for. */
    environment: string | null;
    /** Names of the policies that the artifact was checked against, without an environment. */
    policies: string[];
  };
}

/** An artifact that runs or ran in an environment. */
export interface RunningNotification {
  /** Name of the artifact. */
  name: string;
  /** Sha256 fingerprint, in hex. */
  fingerprint: string;
  /** The flow that reported the artifact, if any. */
  provenance?: {
    /** Name of the flow. */
    flow: string;
    /** Compliance of the artifact in the flow. */
    status: "compliant" | "non-compliant";
    /** Full commit SHA. */
    commit: string | null;
    /** Address of the commit at the code host. */
    commit_url: string | null;
    /** Page of the artifact. */
    html_url: string;
    /** Address of the artifact in the API. */
    api_url: string;
    /** Address of the build. */
    build_url: string | null;
  };
}

/** The webhook payload of an event in an environment. */
export interface EnvironmentNotification extends Notification {
  /** Type of the event. */
  type: EnvironmentEventType;
  /** Name of the environment. */
  environment: string;
  /** Page of the environment. */
  html_url: string;
  /** The snapshot after the event. Absent before the first. */
  snapshot?: {
    /** Number of the snapshot, as text. */
    index: string;
    /** Compliance of the snapshot. */
    status: "compliant" | "non-compliant" | "unknown";
    /** Page of the snapshot. */
    html_url: string;
    /** Address of the snapshot in the API. */
    api_url: string;
  };
  /** Artifact of the event, if any. */
  artifact?: RunningNotification;
  /** Summary of many simultaneous events, in messages to people. */
  artifacts?: {
    /** Number of artifacts. */
    count: number;
    /** The first 20 artifacts. */
    first: RunningNotification[];
  };
}

/** The webhook payload of an expiring SCIM token. */
export interface ScimTokenNotification extends Notification {
  /** Type of the event. */
  type: "scim_token.expiring";
  /** The expiring SCIM token. The token itself is never sent. */
  scim_token: {
    /** ID of the token. */
    id: string;
    /** Description of the token. */
    description: string;
    /** Name of its login provider. */
    provider: string;
    /** Expiry, in Unix seconds. */
    expires_at: number;
    /** Days until the expiry, rounded up. */
    days_left: number;
    /** Page of the SCIM tokens, where tokens can be replaced. */
    html_url: string;
  };
}

/** The webhook payload of an expiring admission webhook. */
export interface AdmissionWebhookNotification extends Notification {
  /** Type of the event. */
  type: "admission_webhook.expiring";
  /** The expiring admission webhook. Its address is never sent. */
  admission_webhook: {
    /** ID of the webhook. */
    id: string;
    /** Name of the webhook. */
    name: string;
    /** Name of its environment. */
    environment: string;
    /** Expiry, in Unix seconds. */
    expires_at: number;
    /** Days until the expiry, rounded up. */
    days_left: number;
    /** Page of the admission webhooks, where webhooks can be replaced. */
    html_url: string;
  };
}

/** The webhook payload of an event of the organization. */
export type OrganizationNotification = KeyNotification | ScimTokenNotification | AdmissionWebhookNotification;

/** The webhook payload of an expiring API key. */
export interface KeyNotification extends Notification {
  /** Type of the event. */
  type: "api_key.expiring";
  /** The expiring API key. The key itself is never sent. */
  api_key: {
    /** ID of the key. */
    id: string;
    /** Description of the key. */
    description: string;
    /** Name of its service account. */
    service_account: string;
    /** Expiry, in Unix seconds. */
    expires_at: number;
    /** Days until the expiry, rounded up. */
    days_left: number;
    /** Page of the service account, where keys can be replaced. */
    html_url: string;
  };
}

/** The payload of a webhook. `type` tells the kinds apart. Ignore other types, because new ones may be added. */
export type NotificationPayload = FlowNotification | EnvironmentNotification | OrganizationNotification;

/** Type of an event. */
export type NotificationType = NotificationPayload["type"];
