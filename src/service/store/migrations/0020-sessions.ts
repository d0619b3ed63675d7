/** Who is signed in to the pages, and the links by which somebody without an account may see one thing. */
export const sessions = `
create table sessions (
  id text primary key,
  token_hash text not null unique,
  api_key_id text not null references api_keys (id),
  created_at double precision not null,
  last_seen_at double precision not null,
  expires_at double precision not null,
  address text,
  client text
);
create index sessions_key on sessions (api_key_id);
create index sessions_end on sessions (expires_at);

create table share_links (
  id text primary key,
  org_id text not null references organizations (id),
  token_hash text not null unique,
  kind text not null,
  place text not null,
  name text,
  description text not null,
  created_by text not null,
  created_at double precision not null,
  expires_at double precision not null,
  revoked_at double precision
);
create index share_links_org on share_links (org_id, created_at, id);
`;
