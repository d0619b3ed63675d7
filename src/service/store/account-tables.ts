import type { Generated } from "kysely";

/** What a link may show: one trail, artifact or environment, or the badge of a flow. */
export type ShareKind = "trail" | "artifact" | "environment" | "badge";

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
    /** The name of the flow or environment. */
    place: string;
    /** The name of the trail or the fingerprint of the artifact; null where the place says all. */
    name: string | null;
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
