/**
 * Environments and what was reported of them, with a row for each artifact of each snapshot.
 *
 * Snapshots waited in `unfiled_snapshots` until they were spread over the other tables.
 */
export const environments = `
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
  archived_at double precision,
  unique (org_id, name)
);

create table environment_members (
  environment_id text not null references environments (id),
  member_id text not null references environments (id),
  primary key (environment_id, member_id)
);
create index environment_members_member on environment_members (member_id);

create table allowlists (
  id text primary key,
  environment_id text not null references environments (id),
  fingerprint text not null,
  artifact_name text not null,
  description text not null,
  created_by text not null,
  created_at double precision not null,
  unique (environment_id, fingerprint)
);

create table snapshots (
  id text primary key,
  environment_id text not null references environments (id),
  number integer not null,
  artifact_set text not null,
  created_at double precision not null,
  conditions text not null default '',
  compliant integer not null default 0,
  state integer,
  policies text not null default '[]',
  unique (environment_id, number)
);
create index snapshots_age on snapshots (environment_id, created_at, number);
alter table environments add column latest_snapshot_id text references snapshots (id);

create table snapshot_artifacts (
  snapshot_id text not null references snapshots (id),
  fingerprint text not null,
  name text not null,
  instances text not null,
  compliant integer,
  details text not null,
  primary key (snapshot_id, fingerprint, name)
);

create table snapshot_events (
  snapshot_id text not null references snapshots (id),
  name text not null,
  fingerprint text not null,
  type text not null,
  instances_before integer not null,
  instances_after integer not null,
  primary key (snapshot_id, name, fingerprint)
);
create index snapshot_events_fingerprint on snapshot_events (fingerprint);

create table unfiled_snapshots (
  sequence integer primary key autoincrement,
  environment_id text not null references environments (id),
  number integer not null,
  artifact_set text not null,
  conditions text not null,
  content text not null,
  created_at double precision not null,
  unique (environment_id, number)
);
`;
