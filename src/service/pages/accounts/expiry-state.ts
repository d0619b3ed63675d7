import { badgeCell } from "../parts/table.ts";

/** Seconds before expiry from which pages warn, as the first warning of an API key. */
export const SOON = 14 * 24 * 60 * 60;

export function stateCell(
  { expiresAt }: { readonly expiresAt: number | null },
  now: number,
): ReturnType<typeof badgeCell> {
  if (expiresAt === null || expiresAt > now + SOON) return badgeCell("WORKS", "ok");
  return expiresAt > now ? badgeCell("EXPIRES SOON", "warn") : badgeCell("EXPIRED", "fail");
}
