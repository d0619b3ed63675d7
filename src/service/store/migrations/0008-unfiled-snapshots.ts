/** Snapshots that are recorded but not yet spread over the tables that they are looked up in. */
export const unfiledSnapshots = `
create table unfiled_snapshots (
  sequence integer primary key,
  environment_id text not null references environments (id),
  number integer not null,
  artifact_set text not null,
  conditions text not null,
  content text not null,
  created_at double precision not null,
  unique (environment_id, number)
)
`;
