/** What reading the records needs: earlier names, archived flows, tags, the events of trails, and order by age. */
export const reading = `
alter table flows add column archived_at double precision;

create table former_flow_names (
  org_id text not null references organizations (id),
  name text not null,
  flow_id text not null references flows (id),
  primary key (org_id, name)
);
create index former_flow_names_flow on former_flow_names (flow_id);

create table tags (
  org_id text not null references organizations (id),
  resource_type text not null,
  resource_id text not null,
  key text not null,
  value text not null,
  primary key (resource_type, resource_id, key)
);
create index tags_value on tags (org_id, resource_type, key, value, resource_id);

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

alter table trails add column org_id text not null default '';
update trails set org_id = (select flows.org_id from flows where flows.id = trails.flow_id);
create index trails_org_age on trails (org_id, created_at, id);
create index trails_flow_age on trails (flow_id, created_at, id);
create index trails_flow_activity on trails (flow_id, last_modified_at, id);

alter table artifacts add column org_id text not null default '';
update artifacts set org_id = (select flows.org_id from flows where flows.id = artifacts.flow_id);
alter table artifacts add column branch text;
create index artifacts_org_age on artifacts (org_id, sequence);
create index artifacts_flow_age on artifacts (flow_id, sequence);
create index artifacts_flow_branch on artifacts (flow_id, branch, sequence);
create index artifacts_flow_commit on artifacts (flow_id, commit_sha);
create index artifacts_repo_age on artifacts (repo_id, sequence);
create index artifacts_commit on artifacts (org_id, commit_sha);

create index snapshot_artifacts_running on snapshot_artifacts (snapshot_id, fingerprint);
create index trail_repos_repo on trail_repos (repo_id)
`;
