/** Controls, policies, approvals and notifications. */
export const governance = `
create table controls (
  id text primary key,
  org_id text not null references organizations (id),
  identifier text not null,
  name text not null,
  description text not null,
  links text not null,
  version integer not null,
  archived_at double precision,
  created_by text not null,
  created_at double precision not null,
  unique (org_id, identifier)
);

create table control_versions (
  control_id text not null references controls (id),
  version integer not null,
  name text not null,
  description text not null,
  links text not null,
  status text not null,
  created_by text not null,
  created_at double precision not null,
  primary key (control_id, version)
);

create table control_decisions (
  attestation_id text primary key references attestations (id),
  org_id text not null references organizations (id),
  control text not null,
  control_version integer,
  is_compliant integer not null,
  artifact_fingerprint text,
  created_at double precision not null
);
create index control_decisions_control on control_decisions (org_id, control, created_at, attestation_id);
create index control_decisions_artifact on control_decisions (org_id, artifact_fingerprint);

create table policies (
  id text primary key,
  org_id text not null references organizations (id),
  name text not null,
  description text not null,
  version integer not null,
  created_by text not null,
  created_at double precision not null,
  last_modified_at double precision not null,
  unique (org_id, name)
);

create table policy_versions (
  policy_id text not null references policies (id),
  version integer not null,
  comment text not null,
  source text not null,
  definition text not null,
  created_by text not null,
  created_at double precision not null,
  primary key (policy_id, version)
);

create table policy_events (
  policy_id text not null references policies (id),
  number integer not null,
  type text not null,
  data text not null,
  created_by text not null,
  created_at double precision not null,
  primary key (policy_id, number)
);

create table policy_controls (
  policy_id text not null references policies (id),
  control_id text not null references controls (id),
  primary key (policy_id, control_id)
);
create index policy_controls_control on policy_controls (control_id);

create table environment_policies (
  environment_id text not null references environments (id),
  policy_id text not null references policies (id),
  primary key (environment_id, policy_id)
);
create index environment_policies_policy on environment_policies (policy_id);

create table approvals (
  id text primary key,
  flow_id text not null references flows (id),
  number integer not null,
  artifact_fingerprint text not null,
  artifact_name text not null,
  base_artifact text not null,
  environment text,
  description text not null,
  commits text not null,
  reviews text not null,
  state text not null,
  user_data text,
  created_by text not null,
  created_at double precision not null,
  last_modified_at double precision not null,
  unique (flow_id, number)
);
create index approvals_artifact on approvals (flow_id, artifact_fingerprint, number);

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
  environments text not null default '[]',
  is_failing integer,
  last_success_at double precision,
  last_failure_at double precision,
  unique (org_id, number),
  unique (org_id, type, name)
);
`;
