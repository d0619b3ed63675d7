import { badgeCell } from "../parts/table.ts";

/** Seconds before expiry from which pages warn, as the first warning of an API key. */
const SOON = 14 * 24 * 60 * 60;

export function stateCell(
  { expiresAt }: { readonly expiresAt: number | null },
  now: number,
): ReturnType<typeof badgeCell> {
  if (expiresSoon(expiresAt, now)) return badgeCell("EXPIRES SOON", "warn");
  return expiresAt === null || expiresAt > now ? badgeCell("WORKS", "ok") : badgeCell("EXPIRED", "fail");
}

/** Whether it still works, but not much longer. @param expiresAt Unix seconds; null or 0 for never */
export function expiresSoon(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && expiresAt > now && expiresAt <= now + SOON;
}
