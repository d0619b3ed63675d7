/**
 * Flows, their trails, and what is recorded there.
 *
 * A series is what attestations of one flow, name, type and outcome have in common. There are few of them, so that
 * every filter of a list is asked of the series, and each series then gives its newest records from an index.
 */
export const evidence = `
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
  archived_at double precision,
  unique (org_id, name)
);

create table former_flow_names (
  org_id text not null references organizations (id),
  name text not null,
  flow_id text not null references flows (id),
  primary key (org_id, name)
);
create index former_flow_names_flow on former_flow_names (flow_id);

create table trails (
  id text primary key,
  org_id text not null default '',
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
create index trails_org_age on trails (org_id, created_at, id);
create index trails_flow_age on trails (flow_id, created_at, id);
create index trails_flow_activity on trails (flow_id, last_modified_at, id);

create table trail_repos (
  trail_id text not null references trails (id),
  repo_id text not null references repos (id),
  primary key (trail_id, repo_id)
);
create index trail_repos_repo on trail_repos (repo_id);

create table trail_events (
  sequence integer primary key,
  trail_id text not null references trails (id),
  type text not null,
  git_commit_info text,
  repo_id text references repos (id),
  details text not null,
  created_at double precision not null
);
create index trail_events_trail on trail_events (trail_id, sequence);

create table artifacts (
  sequence integer primary key,
  id text not null unique,
  org_id text not null default '',
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
  created_at double precision not null,
  branch text
);
create index artifacts_flow on artifacts (flow_id, fingerprint);
create index artifacts_trail on artifacts (trail_id, fingerprint);
create index artifacts_fingerprint on artifacts (fingerprint);
create index artifacts_org_age on artifacts (org_id, sequence);
create index artifacts_flow_age on artifacts (flow_id, sequence);
create index artifacts_flow_branch on artifacts (flow_id, branch, sequence);
create index artifacts_flow_commit on artifacts (flow_id, commit_sha);
create index artifacts_repo_age on artifacts (repo_id, sequence);
create index artifacts_commit on artifacts (org_id, commit_sha);
create index artifacts_latest on artifacts (org_id, fingerprint, flow_id, sequence);

create table attestation_series (
  id text primary key,
  org_id text not null references organizations (id),
  flow_id text not null references flows (id),
  name text not null,
  type text not null,
  is_compliant integer not null,
  unique (flow_id, name, type, is_compliant)
);
create index attestation_series_name on attestation_series (org_id, name);
create index attestation_series_type on attestation_series (org_id, type);

create table attestations (
  sequence integer primary key,
  id text not null unique,
  org_id text not null default '',
  flow_id text not null default '',
  trail_id text not null references trails (id),
  name text not null,
  type text not null,
  is_compliant integer not null,
  artifact_fingerprint text,
  commit_sha text,
  repo_id text references repos (id),
  details text not null,
  created_by text not null,
  created_at double precision not null,
  series_id text not null default '',
  overridden_id text
);
create index attestations_trail on attestations (trail_id, name);
create index attestations_artifact on attestations (artifact_fingerprint, name);
create index attestations_org_age on attestations (org_id, created_at, sequence);
create index attestations_flow_age on attestations (flow_id, created_at, sequence);
create index attestations_series_age on attestations (series_id, created_at, sequence);
create index attestations_commit on attestations (org_id, commit_sha);

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

create table custom_attestation_types (
  id text primary key,
  org_id text not null references organizations (id),
  name text not null,
  description text,
  archived_at double precision,
  created_by text not null,
  created_at double precision not null,
  last_modified_at double precision not null,
  unique (org_id, name)
);

create table custom_attestation_type_versions (
  type_id text not null references custom_attestation_types (id),
  version integer not null,
  type_schema text,
  evaluator text not null,
  summary text,
  created_by text not null,
  created_at double precision not null,
  primary key (type_id, version)
);
`;
