import type { Generated } from "kysely";

/** What a link may show: one trail, artifact or environment, or the badge of a flow. */
export type ShareKind = "trail" | "artifact" | "environment" | "badge";

/** What has an origin. */
export type RecordKind = "trail" | "artifact" | "attestation" | "snapshot" | "approval";

/** How a record compares with what was proven of who made it. */
export type OriginState = "verified" | "unproven" | "different";

/** Who may do what, and who did: organizations, their accounts and the keys of these, and the audit log. */
export interface AccountTables {
  organizations: {
    id: string;
    name: string;
    created_at: number;
    /** The number that the latest action got; those of deleted ones are not given again. */
    last_action_number: Generated<number>;
    /** The number of the latest event that somebody is told of. */
    last_event_number: Generated<number>;
    /** The private key that signs what is sent to webhooks, sealed. Made when it is first needed. */
    signing_key: string | null;
    /** How many entries its audit log has. */
    audit_entries: Generated<number>;
    /** Digest of all of them, in their order; empty before the first. */
    audit_digest: Generated<string>;
  };
  service_accounts: {
    id: string;
    org_id: string;
    name: string;
    role: string;
    description: string | null;
    /** The account that made it. */
    created_by_id: string | null;
    created_at: number;
    deleted_at: number | null;
  };
  api_keys: {
    id: string;
    service_account_id: string;
    /** sha256 of the key, in hex. The key itself is nowhere. */
    key_hash: string;
    description: string;
    created_at: number;
    expires_at: number | null;
    /** From then on it does not work: in the future for a key that was rotated. */
    revoked_at: number | null;
    last_used_at: number | null;
    /** How many days before its end people were last told of it; null before the first time. */
    expiry_told_days: number | null;
    /** `workflow` for what stands for all tokens of a trust policy: no text is this key. */
    kind: Generated<"key" | "workflow">;
    /** 1 for a key that may replace itself, whatever else it may do. */
    may_rotate_itself: Generated<number>;
    /** JSON: the flows and environments that it is for, by name. Null for all. */
    scope: string | null;
  };
  /** Which workflows are trusted. Name, role and scope are those of the key and its account. */
  trust_policies: {
    id: string;
    org_id: string;
    /** The key that stands for all its tokens. */
    key_id: string;
    issuer: string;
    /** `acme/web`, or `acme/*`. */
    repository: string | null;
    repository_id: string | null;
    repository_owner_id: string | null;
    /** JSON: what a token must say, by claim. */
    claims: string;
    /** The name that the account had then. */
    created_by: string;
    created_at: number;
    /** Until when the first use keeps the ids of the repository; null when nothing is to be kept. */
    pinned_until: number | null;
    /** 1, or 0 while it is switched off. */
    enabled: Generated<number>;
    /** How many tokens were exchanged by it. */
    uses: Generated<number>;
  };
  /** What was proven of a workflow by a token that was exchanged. */
  origins: {
    id: string;
    org_id: string;
    /** The name that the trust policy had then. */
    policy: string;
    issuer: string;
    /** `github:acme/web build.yml run 123 attempt 1` */
    name: string;
    /** The page of the run. */
    url: string | null;
    /** JSON: what the token said. */
    claims: string;
    created_at: number;
  };
  /** Tokens that a workflow was given for a while. */
  access_tokens: {
    id: string;
    /** sha256 of the token, in hex. The token itself is nowhere. */
    token_hash: string;
    key_id: string;
    origin_id: string;
    created_at: number;
    expires_at: number;
  };
  /** The tokens of issuers that were exchanged, each by its `jti`, until they have ended. */
  used_tokens: {
    issuer: string;
    token_id: string;
    expires_at: number;
  };
  /** Who made a record, where a workflow did that had proven who it is. */
  record_origins: {
    record_kind: RecordKind;
    record_id: string;
    origin_id: string;
    /** Whether the token proves each commit, repository, run and branch that the record names. */
    state: OriginState;
    /** JSON: what is different, by field. */
    differences: string;
    /** Whether who overrode or approved is who wrote the commit. Null where that is not known. */
    by_author: number | null;
  };
  /** Who is signed in to the pages. */
  sessions: {
    id: string;
    /** sha256 of the token in the browser's cookie, in hex. The token itself is nowhere. */
    token_hash: string;
    /** The key that was given: the session is over when it stops working. */
    api_key_id: string;
    created_at: number;
    last_seen_at: number;
    /** At the latest; without a visit it is over before. */
    expires_at: number;
    /** Where it was begun. */
    address: string | null;
    /** What the browser says of itself. */
    client: string | null;
  };
  /** Links by which somebody without an account may see one thing, until a day. */
  share_links: {
    id: string;
    org_id: string;
    /** sha256 of the token in the link, in hex. The token itself is nowhere. */
    token_hash: string;
    kind: ShareKind;
    /** The name of the flow or environment when the link was made. */
    place: string;
    /** The name of the trail or the fingerprint of the artifact; null where the place says all. */
    name: string | null;
    /** Null for an environment. */
    flow_id: string | null;
    /** Null unless the link shows a trail. */
    trail_id: string | null;
    /** Null unless the link shows an environment. */
    environment_id: string | null;
    description: string;
    /** The name that the account had then. */
    created_by: string;
    created_at: number;
    expires_at: number;
    revoked_at: number | null;
  };
  /** Rows are added, and never changed or removed. */
  audit_log: {
    sequence: Generated<number>;
    id: string;
    org_id: string;
    created_at: number;
    act: string;
    /** The name that the account had then. */
    account: string;
    api_key_id: string | null;
    address: string | null;
    request_id: string | null;
    resource_type: string;
    /** The name that it had before the act. */
    resource_name: string;
    resource_id: string | null;
    /** JSON: what else is to be known, by field. */
    details: string;
    /** JSON: what was changed, by field. */
    changes: string;
  };
}
