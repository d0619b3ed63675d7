/** How the deliveries of a rule went is kept by target. The columns that a rule had for it were never written. */
export const rulesWithoutHealth = `
alter table actions drop column is_failing;
alter table actions drop column last_success_at;
alter table actions drop column last_failure_at;
`;
