/** What an account may do. The embedded service has attester, approver and auditor beside the four that all have. */
export const ROLES = ["admin", "member", "attester", "approver", "snapshotter", "auditor", "reader"] as const;
export type Role = (typeof ROLES)[number];
