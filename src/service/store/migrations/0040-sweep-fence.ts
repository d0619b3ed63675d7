/** The generation of the sweep, which the place for attachments has as well, and the one that a sweep moves both to. */
export const sweepFence = `
alter table database_identity add column sweep_generation text;
alter table database_identity add column next_sweep_generation text;
`;
