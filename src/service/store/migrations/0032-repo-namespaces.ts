/** What a submission says of a repository beyond name and address, as JSON. */
export const repoNamespaces = `
alter table repos add column namespace_path text;
alter table repos add column additional_info text;
`;
