import { randomBytes } from "node:crypto";

/** A name that no run has used before. */
export function unique(prefix: string): string {
  return `${prefix}-${randomBytes(6).toString("hex")}`;
}

export function someFingerprint(): string {
  return randomBytes(32).toString("hex");
}

export function someCommit(): string {
  return randomBytes(20).toString("hex");
}
