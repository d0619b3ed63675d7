/**
 * Who did what, and an index for each of the ways to look for it, in the order of the log. It names accounts and keys
 * without referring to them: what is said of them stays, whatever becomes of them.
 */
export const auditLog = `
create table audit_log (
  sequence integer primary key,
  id text not null unique,
  org_id text not null references organizations (id),
  created_at double precision not null,
  act text not null,
  account text not null,
  api_key_id text,
  address text,
  request_id text,
  resource_type text not null,
  resource_name text not null,
  resource_id text,
  details text not null,
  changes text not null
);
create index audit_log_time on audit_log (org_id, created_at, sequence);
create index audit_log_account on audit_log (org_id, account, created_at, sequence);
create index audit_log_key on audit_log (org_id, api_key_id, created_at, sequence);
create index audit_log_act on audit_log (org_id, act, created_at, sequence);
create index audit_log_type on audit_log (org_id, resource_type, created_at, sequence);
create index audit_log_name on audit_log (org_id, resource_name, created_at, sequence);
create index audit_log_resource on audit_log (org_id, resource_id, created_at, sequence)
`;
