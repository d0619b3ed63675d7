/** The tables of the first version. */
export const initial = `
create table organizations (
  id text primary key,
  name text not null unique,
  created_at double precision not null
);

create table service_accounts (
  id text primary key,
  org_id text not null references organizations (id),
  name text not null,
  role text not null,
  created_at double precision not null,
  unique (org_id, name)
);

create table api_keys (
  id text primary key,
  service_account_id text not null references service_accounts (id),
  key_hash text not null unique,
  description text not null,
  created_at double precision not null,
  expires_at double precision,
  revoked_at double precision
);
create index api_keys_account on api_keys (service_account_id);

create table repos (
  id text primary key,
  org_id text not null references organizations (id),
  provider text not null,
  repo_id text,
  name text not null,
  url text not null,
  description text,
  created_at double precision not null,
  latest_activity_at double precision not null
);
create unique index repos_external on repos (org_id, provider, repo_id) where repo_id is not null;
create unique index repos_without_id on repos (org_id, provider, name) where repo_id is null;
create index repos_name on repos (org_id, name, id);

create table flows (
  id text primary key,
  org_id text not null references organizations (id),
  name text not null,
  description text not null,
  visibility text not null,
  repo_url text,
  template text not null,
  template_source text,
  created_at double precision not null,
  last_modified_at double precision not null,
  unique (org_id, name)
);

create table trails (
  id text primary key,
  flow_id text not null references flows (id),
  name text not null,
  description text not null,
  git_commit_info text,
  origin_url text,
  external_urls text,
  user_data text not null,
  template text not null,
  template_source text,
  created_by text not null,
  created_at double precision not null,
  last_modified_at double precision not null,
  unique (flow_id, name)
);

create table trail_repos (
  trail_id text not null references trails (id),
  repo_id text not null references repos (id),
  primary key (trail_id, repo_id)
);

create table artifacts (
  sequence integer primary key,
  id text not null unique,
  flow_id text not null references flows (id),
  trail_id text references trails (id),
  fingerprint text not null,
  filename text not null,
  template_name text,
  commit_sha text,
  is_compliant integer,
  build_url text not null,
  commit_url text not null,
  repo_url text,
  repo_id text references repos (id),
  details text not null,
  created_by text not null,
  created_at double precision not null
);
create index artifacts_flow on artifacts (flow_id, fingerprint);
create index artifacts_trail on artifacts (trail_id, fingerprint);
create index artifacts_fingerprint on artifacts (fingerprint);

create table attestations (
  sequence integer primary key,
  id text not null unique,
  trail_id text not null references trails (id),
  name text not null,
  type text not null,
  is_compliant integer not null,
  artifact_fingerprint text,
  commit_sha text,
  repo_id text references repos (id),
  details text not null,
  created_by text not null,
  created_at double precision not null
);
create index attestations_trail on attestations (trail_id, name);
create index attestations_artifact on attestations (artifact_fingerprint, name);

create table attestation_targets (
  attestation_id text not null references attestations (id),
  trail_id text not null references trails (id),
  artifact_name text not null,
  commit_sha text,
  primary key (attestation_id, artifact_name)
);
create index attestation_targets_claim on attestation_targets (trail_id, artifact_name, commit_sha);

create table attachments (
  attestation_id text not null references attestations (id),
  position integer not null,
  name text not null,
  size integer not null,
  media_type text not null,
  sha256 text not null,
  primary key (attestation_id, position)
);

create table environments (
  id text primary key,
  org_id text not null references organizations (id),
  name text not null,
  type text not null,
  description text not null,
  include_scaling integer not null,
  require_provenance integer not null,
  created_at double precision not null,
  last_modified_at double precision not null,
  last_reported_at double precision,
  unique (org_id, name)
);

create table environment_members (
  environment_id text not null references environments (id),
  member_id text not null references environments (id),
  primary key (environment_id, member_id)
);

create table snapshots (
  id text primary key,
  environment_id text not null references environments (id),
  number integer not null,
  artifact_set text not null,
  created_at double precision not null,
  unique (environment_id, number)
);

create table snapshot_artifacts (
  snapshot_id text not null references snapshots (id),
  name text not null,
  fingerprint text not null,
  pods text not null,
  primary key (snapshot_id, name, fingerprint)
);
create index snapshot_artifacts_fingerprint on snapshot_artifacts (fingerprint);

create table actions (
  id text primary key,
  org_id text not null references organizations (id),
  number integer not null,
  type text not null,
  name text not null,
  targets text not null,
  flows text not null,
  triggers text not null,
  created_by text not null,
  created_at double precision not null,
  last_modified_at double precision not null,
  unique (org_id, number),
  unique (org_id, type, name)
);

create table answered_requests (
  api_key_id text not null references api_keys (id),
  idempotency_key text,
  request_hash text not null,
  subject text not null,
  answer text not null,
  answered_at double precision not null
);
create unique index answered_requests_key on answered_requests (api_key_id, idempotency_key)
  where idempotency_key is not null;
create index answered_requests_hash on answered_requests (api_key_id, request_hash);
create index answered_requests_subject on answered_requests (subject);
create index answered_requests_age on answered_requests (answered_at)
`;
