/** Who may do what, and what was answered to them. */
export const accounts = `
create table organizations (
  id text primary key,
  name text not null unique,
  created_at double precision not null,
  last_action_number integer not null default 0
);

create table service_accounts (
  id text primary key,
  org_id text not null references organizations (id),
  name text not null,
  role text not null,
  created_at double precision not null,
  description text,
  created_by_id text references service_accounts (id),
  deleted_at double precision,
  unique (org_id, name)
);
create index service_accounts_creator on service_accounts (created_by_id);

create table api_keys (
  id text primary key,
  service_account_id text not null references service_accounts (id),
  key_hash text not null unique,
  description text not null,
  created_at double precision not null,
  expires_at double precision,
  revoked_at double precision,
  last_used_at double precision
);
create index api_keys_account on api_keys (service_account_id);

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
create index answered_requests_age on answered_requests (answered_at);

create table tags (
  org_id text not null references organizations (id),
  resource_type text not null,
  resource_id text not null,
  key text not null,
  value text not null,
  primary key (resource_type, resource_id, key)
);
create index tags_value on tags (org_id, resource_type, key, value, resource_id);
`;
