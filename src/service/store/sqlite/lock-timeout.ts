const SQLITE_BUSY = 5;

/** Whether SQLite gave up because another process held a lock for longer than the time allowed. */
export function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof Error && "errcode" in error && typeof error.errcode === "number")) return false;
  // The bytes above the lowest say more of the same.
  return (error.errcode & 0xff) === SQLITE_BUSY;
}
