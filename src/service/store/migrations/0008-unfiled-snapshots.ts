/**
 * Snapshots that are recorded but not yet spread over the tables that they are looked up in. No sequence is used
 * twice, or to file all up to one would go on with those that come meanwhile.
 */
export const unfiledSnapshots = `
create table unfiled_snapshots (
  sequence integer primary key autoincrement,
  environment_id text not null references environments (id),
  number integer not null,
  artifact_set text not null,
  conditions text not null,
  content text not null,
  created_at double precision not null,
  unique (environment_id, number)
)
`;
