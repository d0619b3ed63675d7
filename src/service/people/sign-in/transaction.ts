import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Checks } from "./party.ts";

/** Time for signing in at a provider, in seconds. */
export const TRANSACTION_SECONDS = 10 * 60;

/**
 * `test` shows the claims and roles without signing in. `join` accepts an invitation. `link` adds the account to the
 * person who is signed in.
 */
type Purpose = "sign-in" | "test" | "join" | "link";
const PURPOSES: readonly Purpose[] = ["sign-in", "test", "join", "link"];

export interface Transaction {
  readonly provider: string;
  readonly purpose: Purpose;
  /** The address to show afterwards, the token of the invitation to accept, or the id of the person to link. */
  readonly next: string;
  /** Everything that the provider must send back, derived from a secret that only this browser has. */
  readonly checks: Checks;
}

/** Begins a sign-in. Returns the value of the cookie that binds it to the browser. */
export function beginTransaction(begun: Omit<Transaction, "checks">): Transaction & { cookie: string } {
  const secret = randomBytes(32).toString("base64url");
  const { provider, purpose, next } = begun;
  const cookie = [secret, provider, purpose, Buffer.from(next).toString("base64url")].join("/");
  return { ...begun, checks: checksOf(secret), cookie };
}

/** Undefined if the cookie is of no sign-in with this provider. */
export function transactionIn(cookie: string | undefined, provider: string): Transaction | undefined {
  const [secret = "", named, purpose, next = ""] = (cookie ?? "").split("/");
  const known = PURPOSES.find((each) => each === purpose);
  if (secret.length < 43 || named !== provider || known === undefined) return undefined;
  return {
    ...{ provider, purpose: known, checks: checksOf(secret) },
    next: Buffer.from(next, "base64url").toString(),
  };
}

function checksOf(secret: string): Checks {
  const derived = (use: string) => createHmac("sha256", secret).update(use).digest("base64url");
  return { verifier: derived("verifier"), state: derived("state"), nonce: derived("nonce") };
}

export function isSameState({ state }: Checks, given: string | null): boolean {
  const [expected, actual] = [Buffer.from(state), Buffer.from(given ?? "")];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
