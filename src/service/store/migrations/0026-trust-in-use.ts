/** Trust policies that are switched off for a while, and how often each was used. */
export const trustInUse = `
alter table trust_policies add column enabled integer not null default 1;
alter table trust_policies add column uses integer not null default 0;
`;
