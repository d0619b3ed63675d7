import { Busy, Unproven } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Profile } from "./profile.ts";
import type { LoginProvider } from "./provider.ts";
import { Unreachable } from "./provider-fetch.ts";

/** Everything that a provider must send back. */
export interface Checks {
  readonly verifier: string;
  readonly state: string;
  readonly nonce: string;
}

/** Speaks with one provider. */
export interface Party {
  /** Unix seconds of the first failure since the provider last answered. */
  readonly unreachableSince: number | undefined;
  /** The provider's address that a browser opens. @throws Busy */
  authorization(redirectUri: string, checks: Checks): Promise<URL>;
  /** The person that a provider sent back. @throws Unproven, Busy */
  profile(callback: URL, checks: Checks): Promise<Profile>;
  /** The provider's address that ends its own session. Undefined if it has none. @throws Busy */
  signOut(idToken: string | undefined, returnTo: string): Promise<URL | undefined>;
  /** The session or subject that a logout token names. @throws Unproven, Busy */
  loggedOut(token: string): Promise<LoggedOut>;
}

export interface LoggedOut {
  readonly tokenId: string;
  /** Unix seconds. */
  readonly expiresAt: number;
  readonly session: string | undefined;
  readonly subject: string | undefined;
}

/** Seconds after which a client may try again to reach a provider. */
export const PAUSE_SECONDS = 5;

/** Notes since when a provider does not answer, and translates its faults. */
export class Reachability {
  readonly #provider: LoginProvider;
  readonly #now: () => number;
  readonly #log: Log;
  #since: number | undefined;

  constructor({ provider, now, log }: { provider: LoginProvider; now: () => number; log: Log }) {
    this.#provider = provider;
    this.#now = now;
    this.#log = log;
  }

  get unreachableSince(): number | undefined {
    return this.#since;
  }

  noteAnswer(): void {
    this.#since = undefined;
  }

  noteFailure(error: unknown): Busy {
    this.#since ??= this.#now();
    const { name } = this.#provider;
    this.#log({ level: "warn", message: `The login provider ${name} does not answer as expected`, error });
    return this.unreachable();
  }

  unreachable(): Busy {
    const since = new Date((this.#since ?? this.#now()) * 1000).toISOString().slice(0, 16).replace("T", " ");
    return new Busy(
      "login.unavailable",
      `${this.#provider.label} has been unavailable since ${since} UTC: try again later, or sign in with an API key`,
      PAUSE_SECONDS,
    );
  }

  /** Runs a request to the provider. @throws Unproven, Busy */
  async asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (isNetworkFault(error)) throw this.noteFailure(error);
      const { name, label } = this.#provider;
      this.#log({ level: "warn", message: `The login provider ${name} sent what was refused`, error });
      throw new Unproven("login.refused", `The response of ${label} was refused: ${reasonOf(error)}`);
    }
  }
}

/** Libraries wrap what `fetch` threw. */
function isNetworkFault(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error instanceof Unreachable || error.name === "TimeoutError" || isNetworkFault(error.cause);
}

const REASONS: Readonly<Record<string, string>> = {
  access_denied: "the sign-in was cancelled or not allowed",
  invalid_grant: "the code was used before or has expired",
};

/** The reason in words. It contains no part of a token. */
function reasonOf(error: unknown): string {
  const { error: given, code } = Object(error) as { error?: unknown; code?: unknown };
  if (typeof given === "string") return REASONS[given] ?? `it says ${given.slice(0, 100)}`;
  return typeof code === "string" ? code.toLowerCase().replaceAll("_", " ") : "it is not valid";
}
