/** What an account may do, from most to least. */
export const ROLES = ["admin", "member", "snapshotter", "reader"] as const;
export type Role = (typeof ROLES)[number];

export function isRole(text: string): text is Role {
  return ROLES.some((role) => role === text);
}
