/** Origins that no token and no record refers to any more are removed, by this index. */
export const unusedOrigins = `
create index record_origins_origin on record_origins (origin_id);
delete from origins
where not exists (select 1 from access_tokens where access_tokens.origin_id = origins.id)
  and not exists (select 1 from record_origins where record_origins.origin_id = origins.id);
`;
