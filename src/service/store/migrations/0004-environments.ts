/** What snapshots record beyond what runs: compliance, provenance and what changed. And archived environments, allowlists. */
export const environments = `
alter table environments add column archived_at double precision;
alter table environments add column latest_snapshot_id text references snapshots (id);

alter table snapshots add column conditions text not null default '';
alter table snapshots add column compliant integer not null default 0;
alter table snapshots add column state integer;
alter table snapshots add column policies text not null default '[]';
create index snapshots_age on snapshots (environment_id, created_at, number);
update environments set latest_snapshot_id = (
  select snapshots.id from snapshots where snapshots.environment_id = environments.id
  order by snapshots.number desc limit 1
);

alter table snapshot_artifacts rename column pods to instances;
alter table snapshot_artifacts add column compliant integer;
alter table snapshot_artifacts add column details text not null default '{}';

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

create index environment_members_member on environment_members (member_id)
`;
