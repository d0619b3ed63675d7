/**
 * Who works on the records, who does which work in the background, and which steps an older version cannot work
 * beside. Times are those of the database's clock.
 */
export const instances = `
create table instances (
  id text primary key,
  version text not null,
  host text not null,
  started_at double precision not null,
  seen_at double precision not null
);

create table leases (
  name text primary key,
  holder text not null,
  expires_at double precision not null,
  ended_at double precision
);

create table breaking_steps (
  name text primary key
);
`;
