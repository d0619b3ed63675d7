import { onTestFinished } from "vitest";

/** The rest of a test runs as a user whom permissions hold back: the superuser may read everything. */
export function becomeOrdinaryUser(): void {
  const user = process.geteuid?.();
  if (user !== 0) return;
  process.seteuid?.(65534);
  onTestFinished(() => void process.seteuid?.(user));
}
