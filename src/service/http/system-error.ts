/** An error of the system, such as a full disk: the service's own, not the sender's. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
