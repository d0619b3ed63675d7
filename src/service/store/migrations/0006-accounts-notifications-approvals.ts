/** What accounts, keys, notifications and approvals need. */
export const accountsNotificationsApprovals = `
alter table service_accounts add column description text;
alter table service_accounts add column created_by_id text references service_accounts (id);
alter table service_accounts add column deleted_at double precision;
create index service_accounts_creator on service_accounts (created_by_id);

alter table api_keys add column last_used_at double precision;

alter table organizations add column last_action_number integer not null default 0;
update organizations set last_action_number =
  coalesce((select max(actions.number) from actions where actions.org_id = organizations.id), 0);

alter table actions add column environments text not null default '[]';
alter table actions add column is_failing integer;
alter table actions add column last_success_at double precision;
alter table actions add column last_failure_at double precision;

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
create index approvals_artifact on approvals (flow_id, artifact_fingerprint, number)
`;
