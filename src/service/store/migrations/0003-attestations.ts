/**
 * Attestations of every kind: which one an override is of, how lists find them, and the types that organizations
 * define themselves.
 *
 * A series is what attestations of one flow, name, type and outcome have in common. There are few of them, so that
 * every filter of a list is asked of the series, and each series then gives its newest records from an index.
 */
export const attestationKinds = `
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

alter table attestations add column org_id text not null default '';
alter table attestations add column flow_id text not null default '';
alter table attestations add column series_id text not null default '';
alter table attestations add column overridden_id text;

update attestations set flow_id = (select trails.flow_id from trails where trails.id = attestations.trail_id);
update attestations set org_id = (select flows.org_id from flows where flows.id = attestations.flow_id);
insert into attestation_series (id, org_id, flow_id, name, type, is_compliant)
  select min(id), org_id, flow_id, name, type, is_compliant from attestations
  group by org_id, flow_id, name, type, is_compliant;
update attestations set series_id = (
  select attestation_series.id from attestation_series
  where attestation_series.flow_id = attestations.flow_id and attestation_series.name = attestations.name
    and attestation_series.type = attestations.type
    and attestation_series.is_compliant = attestations.is_compliant
);
create index attestations_org_age on attestations (org_id, created_at, sequence);
create index attestations_flow_age on attestations (flow_id, created_at, sequence);
create index attestations_series_age on attestations (series_id, created_at, sequence);
create index attestations_commit on attestations (org_id, commit_sha);

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
)
`;
