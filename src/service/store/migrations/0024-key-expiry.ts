/** What was told of the end of each key: the fewest days before it. */
export const keyExpiry = `
alter table api_keys add column expiry_told_days integer;
`;
