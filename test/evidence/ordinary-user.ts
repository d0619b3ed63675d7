import { onTestFinished } from "vitest";

/** Runs work as an ordinary user, because the superuser may read everything. */
export async function asOrdinaryUser<T>(work: () => Promise<T>): Promise<T> {
  const user = process.geteuid?.();
  if (user === 0) process.seteuid?.(65534);
  return work().finally(() => {
    if (user === 0) process.seteuid?.(user);
  });
}

/** Runs the rest of a test as an ordinary user, because the superuser may read everything. */
export function becomeOrdinaryUser(): void {
  const user = process.geteuid?.();
  if (user !== 0) return;
  process.seteuid?.(65534);
  onTestFinished(() => void process.seteuid?.(user));
}
