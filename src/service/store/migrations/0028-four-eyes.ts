/** Whether who overrode or approved is who wrote the commit. Null where that is not known. */
export const fourEyes = `
alter table record_origins add column by_author integer;
`;
