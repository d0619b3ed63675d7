/**
 * Attachments may be kept outside of the data folder, where several instances share them. The database has an id that
 * its place for attachments carries as well, and a list of the files there that no record was seen to name.
 */
export const attachmentsPlace = `
create table database_identity (
  only_row integer not null primary key check (only_row = 1),
  id text not null,
  place_id text
);

create table orphaned_attachments (
  sha256 text not null primary key,
  marked_at double precision not null,
  removing_since double precision
);
create index orphaned_attachments_age on orphaned_attachments (marked_at);
create index attachments_sha256 on attachments (sha256)
`;
