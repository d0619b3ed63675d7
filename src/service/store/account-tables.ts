import { PERSON_TABLES } from "./people-tables.ts";
import { index, integer, json, primaryKey, sequence, table, text, time, unique } from "./schema.ts";

export type ShareKind = "trail" | "artifact" | "environment" | "badge";

export type RecordKind = "trail" | "artifact" | "attestation" | "snapshot" | "approval";

export type OriginState = "verified" | "unproven" | "different";

export const ACCOUNT_TABLES = {
  organizations: table({
    id: text.key,
    name: text.unique,
    created_at: time,
    /** The highest action number so far. Numbers of deleted actions are not reused. */
    last_action_number: integer.default(0),
    last_event_number: integer.default(0),
    /** The sealed private key that signs webhook deliveries. Created when first needed. */
    signing_key: text.nullable,
    audit_entries: integer.default(0),
    /** Digest of the whole audit log, in order; empty before the first entry. */
    audit_digest: text.default(""),
  }),

  ...PERSON_TABLES,

  service_accounts: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      name: text,
      role: text,
      description: text.nullable,
      created_by_id: text.nullable.references("service_accounts"),
      created_at: time,
      deleted_at: time.nullable,
      /** Set for the account of a person, which the memberships of that person decide. */
      person_id: text.nullable.references("people"),
    },
    unique("org_id", "name"),
    index("service_accounts_creator", ["created_by_id"]),
    index("service_accounts_person", ["person_id", "org_id"], {
      isUnique: true,
      where: "person_id is not null",
    }),
  ),

  api_keys: table(
    {
      id: text.key,
      service_account_id: text.references("service_accounts"),
      /** sha256 of the key, in hex. The key itself is not stored. */
      key_hash: text.unique,
      /** Last four characters, by which people recognize the key. Null for older keys, and for none. */
      last_four: text.nullable,
      description: text,
      created_at: time,
      expires_at: time.nullable,
      /** Time from which the key is rejected. In the future for a key that was rotated. */
      revoked_at: time.nullable,
      last_used_at: time.nullable,
      /** Days before expiry at the last warning; null before the first. */
      expiry_told_days: integer.nullable,
      /** `workflow` represents all tokens of a trust policy, and `person` all sessions of a person. No text matches them. */
      kind: text.of<"key" | "workflow" | "person">().default("key"),
      may_rotate_itself: integer.default(0),
      /** JSON: the names of the flows and environments that the key may use. Null for all. */
      scope: json.nullable,
    },
    index("api_keys_account", ["service_account_id"]),
  ),

  trust_policies: table(
    {
      id: text.key,
      org_id: text.references("organizations"),
      key_id: text.unique.references("api_keys"),
      issuer: text,
      /** `acme/web`, or `acme/*`. */
      repository: text.nullable,
      repository_id: text.nullable,
      repository_owner_id: text.nullable,
      /** `web/reporter`: namespace and name in a Kubernetes cluster. */
      service_account: text.nullable,
      service_account_uid: text.nullable,
      /** `acme/web`, or the like: a project or pipeline of another CI system. */
      project: text.nullable,
      /** Ids of the project by claim, as JSON. */
      project_ids: text.nullable,
      /** Keys of an issuer that the service cannot reach, as JSON. */
      jwks: text.nullable,
      claims: json,
      /** The account's name at the time. */
      created_by: text,
      created_at: time,
      /** The first use before this time pins the ids of the repository; null if nothing is to be pinned. */
      pinned_until: time.nullable,
      enabled: integer.default(1),
      uses: integer.default(0),
    },
    index("trust_policies_issuer", ["org_id", "issuer"]),
  ),

  /** Addresses of webhooks from other systems. */
  hooks: table(
    {
      /** Part of the address. */
      id: text.key,
      org_id: text.references("organizations"),
      name: text,
      kind: text.of<"sonar" | "launch-darkly">(),
      /** The sealed secret of the sender's signatures. */
      secret: text,
      flow_name: text.nullable,
      /** The account and key that created it. */
      account_id: text.references("service_accounts"),
      api_key_id: text.references("api_keys"),
      created_by: text,
      created_at: time,
    },
    unique("org_id", "name"),
  ),

  origins: table({
    id: text.key,
    org_id: text.references("organizations"),
    /** The trust policy's name at the time. */
    policy: text,
    issuer: text,
    /** `github:acme/web build.yml run 123 attempt 1` */
    name: text,
    url: text.nullable,
    claims: json,
    created_at: time,
  }),

  access_tokens: table(
    {
      id: text.key,
      /** sha256 of the token, in hex. The token itself is not stored. */
      token_hash: text.unique,
      key_id: text.references("api_keys"),
      origin_id: text.references("origins"),
      created_at: time,
      expires_at: time,
    },
    index("access_tokens_end", ["expires_at"]),
    index("access_tokens_key", ["key_id"]),
  ),

  /** Exchanged tokens of issuers, by `jti` or the job, until they expire. */
  used_tokens: table(
    {
      issuer: text,
      token_id: text,
      expires_at: time,
      /** Hash of the secret with which the token can be exchanged again; null without one. */
      repeat_hash: text.nullable,
    },
    primaryKey("issuer", "token_id"),
    index("used_tokens_end", ["expires_at"]),
  ),

  record_origins: table(
    {
      record_kind: text.of<RecordKind>(),
      record_id: text,
      origin_id: text.references("origins"),
      /** Whether the token proves each commit, repository, run and branch that the record names. */
      state: text.of<OriginState>(),
      differences: json,
      /** Whether the person who overrode or approved also wrote the commit. Null if unknown. */
      by_author: integer.nullable,
    },
    primaryKey("record_kind", "record_id"),
    index("record_origins_origin", ["origin_id"]),
  ),

  sessions: table(
    {
      id: text.key,
      /** sha256 of the token of the browser or command line, in hex. The token itself is not stored. */
      token_hash: text.unique,
      kind: text.of<"browser" | "command line">().default("browser"),
      /** The key that signed in. The session ends when the key stops working. Null for a person. */
      api_key_id: text.nullable.references("api_keys"),
      /** The person who signed in. Null for a key. */
      person_id: text.nullable.references("people"),
      /** The address name of the provider that signed the person in, and the session there (`sid`). */
      provider: text.nullable,
      provider_session: text.nullable,
      /** The sealed ID token, with which the provider recognizes the session at sign-out. */
      id_token: text.nullable,
      created_at: time,
      last_seen_at: time,
      /** Absolute lifetime. Idle sessions end earlier. */
      expires_at: time,
      address: text.nullable,
      client: text.nullable,
      /** Ids of the organizations that ended a person's session, each between spaces. It goes on in others. */
      ended_in: text.default(""),
    },
    index("sessions_end", ["expires_at"]),
    index("sessions_key", ["api_key_id"]),
    index("sessions_person", ["person_id"]),
  ),

  answered_requests: table(
    {
      sequence,
      api_key_id: text.references("api_keys"),
      idempotency_key: text.nullable,
      request_hash: text,
      /** The resource of the request. After a later record about it, an equal request counts as new. */
      subject: text,
      answer: json,
      answered_at: time,
      /** Ten-minute windows since 1970. Begins the index, so that new rows touch few of its pages. */
      answered_window: integer,
    },
    index("answered_requests_hash", ["answered_window", "request_hash"]),
    index("answered_requests_key", ["api_key_id", "idempotency_key"], {
      isUnique: true,
      where: "idempotency_key is not null",
    }),
    index("answered_requests_subject", ["subject", "sequence"]),
  ),

  /** Append-only: rows are never changed or removed. */
  audit_log: table(
    {
      sequence: sequence,
      id: text.unique,
      org_id: text.references("organizations"),
      created_at: time,
      act: text,
      /** The account's name at the time. */
      account: text,
      api_key_id: text.nullable,
      address: text.nullable,
      request_id: text.nullable,
      resource_type: text,
      /** The resource's name before the action. */
      resource_name: text,
      resource_id: text.nullable,
      details: json,
      changes: json,
    },
    index("audit_log_account", ["org_id", "account", "created_at", "sequence"]),
    index("audit_log_act", ["org_id", "act", "created_at", "sequence"]),
    index("audit_log_key", ["org_id", "api_key_id", "created_at", "sequence"]),
    index("audit_log_name", ["org_id", "resource_name", "created_at", "sequence"]),
    index("audit_log_resource", ["org_id", "resource_id", "created_at", "sequence"]),
    index("audit_log_time", ["org_id", "created_at", "sequence"]),
    index("audit_log_type", ["org_id", "resource_type", "created_at", "sequence"]),
  ),
};
