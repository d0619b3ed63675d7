import { Busy, Refusal, Unproven } from "../../kernel/errors.ts";
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

  /** Runs a request to the provider. @throws Unproven, Busy, ProviderFault */
  async asked<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (isNetworkFault(error) || isFailure(error)) throw this.noteFailure(error);
      const { name, label, org } = this.#provider;
      const given = errorIn(error);
      if (given !== undefined && SETTINGS_FAULTS.has(given)) {
        this.#log({ level: "warn", message: `The login provider ${name} refuses this service`, error });
        const who = org === undefined ? "the operator of this service" : `an admin of ${org.name}`;
        throw new ProviderFault(
          "login.unavailable",
          `${label} refuses this service (${given}): ${who} can correct the client ID, the client secret and the redirect URI`,
        );
      }
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

/** The provider does not accept this service, whoever signs in. */
class ProviderFault extends Refusal {
  readonly status = 502;
}

/** Errors of OAuth that only a change of the settings here or at the provider ends. */
const SETTINGS_FAULTS: ReadonlySet<string> = new Set([
  ...["invalid_client", "unauthorized_client", "invalid_request", "invalid_scope"],
  ...["unsupported_grant_type", "unsupported_response_type"],
]);

/** Whether the provider itself says that it failed. */
function isFailure(error: unknown): boolean {
  const { status, cause } = Object(error) as { status?: unknown; cause?: unknown };
  const answered = status ?? Object(cause).status;
  const given = errorIn(error);
  return given === "server_error" || given === "temporarily_unavailable" || Number(answered) >= 500;
}

/** The error that the provider named. */
function errorIn(error: unknown): string | undefined {
  const { error: given } = Object(error) as { error?: unknown };
  return typeof given === "string" ? given : undefined;
}

const REASONS: Readonly<Record<string, string>> = {
  access_denied: "the sign-in was cancelled or not allowed",
  invalid_grant: "the code was used before or has expired",
};

/** The reason in words. It contains no part of a token. */
function reasonOf(error: unknown): string {
  const given = errorIn(error);
  const { code } = Object(error) as { code?: unknown };
  if (given !== undefined) return REASONS[given] ?? `it says ${given.slice(0, 100)}`;
  return typeof code === "string" ? code.toLowerCase().replaceAll("_", " ") : "it is not valid";
}
