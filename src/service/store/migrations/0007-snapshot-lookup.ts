/**
 * What runs is looked up by fingerprint within a snapshot. An index of all fingerprints that ever ran cost each report
 * a random page for each of its artifacts.
 */
export const snapshotLookup = `
create table snapshot_artifacts_by_fingerprint (
  snapshot_id text not null references snapshots (id),
  fingerprint text not null,
  name text not null,
  instances text not null,
  compliant integer,
  details text not null,
  primary key (snapshot_id, fingerprint, name)
);
insert into snapshot_artifacts_by_fingerprint (snapshot_id, fingerprint, name, instances, compliant, details)
  select snapshot_id, fingerprint, name, instances, compliant, details from snapshot_artifacts;
drop table snapshot_artifacts;
alter table snapshot_artifacts_by_fingerprint rename to snapshot_artifacts
`;
