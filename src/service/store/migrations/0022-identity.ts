/**
 * Keys for named flows and environments, and workflows that prove who they are: what an organization trusts, the tokens
 * that it gave for a while, the tokens of issuers that were used, and what was proven of who made which record.
 */
export const identity = `
alter table api_keys add column kind text not null default 'key';
alter table api_keys add column scope text;

create table trust_policies (
  id text primary key,
  org_id text not null references organizations (id),
  key_id text not null unique references api_keys (id),
  issuer text not null,
  repository text,
  repository_id text,
  repository_owner_id text,
  claims text not null,
  created_by text not null,
  created_at double precision not null,
  pinned_until double precision
);
create index trust_policies_issuer on trust_policies (org_id, issuer);

create table origins (
  id text primary key,
  org_id text not null references organizations (id),
  policy text not null,
  issuer text not null,
  name text not null,
  url text,
  claims text not null,
  created_at double precision not null
);

create table access_tokens (
  id text primary key,
  token_hash text not null unique,
  key_id text not null references api_keys (id),
  origin_id text not null references origins (id),
  created_at double precision not null,
  expires_at double precision not null
);
create index access_tokens_key on access_tokens (key_id);
create index access_tokens_end on access_tokens (expires_at);

create table used_tokens (
  issuer text not null,
  token_id text not null,
  expires_at double precision not null,
  primary key (issuer, token_id)
);
create index used_tokens_end on used_tokens (expires_at);

create table record_origins (
  record_kind text not null,
  record_id text not null,
  origin_id text not null references origins (id),
  state text not null,
  differences text not null,
  primary key (record_kind, record_id)
);
`;
