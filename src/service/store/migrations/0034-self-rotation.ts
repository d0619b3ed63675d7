/** Whether a key may replace itself, whatever else it may do. */
export const selfRotation = `
alter table api_keys add column may_rotate_itself integer not null default 0;
`;
