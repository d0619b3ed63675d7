import { InputError } from "../../api/client/errors.ts";
import { parseJson } from "../../api/json.ts";
import { asObject, asText } from "../../api/untyped.ts";
import type { Client } from "../../net/client.ts";
import { RemoteFault } from "../remote-fault.ts";
import { type Environment, variable } from "./variables.ts";

export interface Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** In ms. Absent for credentials that do not expire. */
  readonly expiresAt?: number;
}

export type CredentialSource = () => Promise<Credentials>;

/** A kind of source; undefined if the environment does not have it. */
export type SourceKind = (context: CredentialContext) => CredentialSource | undefined;

/** Parses the credentials of a container or instance. @param server that sent them */
export function parseTemporary(server: string, text: string): Credentials {
  const json = parseJson(text);
  // Without the text, which may contain a secret.
  if (json === undefined) throw RemoteFault.wrong(server, "sent invalid JSON");
  const { AccessKeyId, SecretAccessKey, Token, Expiration } = asObject(json.value);
  return temporaryCredentials(server, {
    accessKeyId: asText(AccessKeyId),
    secretAccessKey: asText(SecretAccessKey),
    sessionToken: asText(Token),
    expiration: asText(Expiration),
  });
}

interface Temporary {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string;
  /** Such as `2027-01-31T12:00:00Z`. */
  readonly expiration: string;
}

/** @throws RemoteFault if one of them is empty */
export function temporaryCredentials(server: string, { expiration, ...keys }: Temporary): Credentials {
  if (Object.values(keys).includes("")) throw RemoteFault.wrong(server, "sent incomplete credentials");
  const expiresAt = Date.parse(expiration);
  if (Number.isNaN(expiresAt)) throw RemoteFault.wrong(server, "sent credentials without an expiry time");
  return { ...keys, expiresAt };
}

export interface CredentialContext {
  readonly environment: Environment;
  readonly region: string;
  readonly client: Client;
  /** Subject of messages about missing credentials: `the bucket`. */
  readonly purpose: string;
  /** A role to assume with an identity token that is not in a file. */
  readonly role?: Role | undefined;
}

export interface Role {
  readonly arn: string;
  /** A token for each attempt, since the token service may have seen the last one. */
  readonly token: () => Promise<string>;
}

/** Two variables that must be set together or not at all. @throws InputError when one is missing */
export function pairOf(
  environment: Environment,
  first: string,
  second: string,
): readonly [string, string] | undefined {
  const [one, other] = [variable(environment, first), variable(environment, second)];
  if (one === undefined && other === undefined) return undefined;
  if (one === undefined) throw halfOf(first, second);
  if (other === undefined) throw halfOf(second, first);
  return [one, other];
}

function halfOf(missing: string, given: string): InputError {
  return new InputError([{ input: missing, problem: `is missing, although ${given} is set`, missing: true }]);
}

/** Credentials are renewed this long before they expire, in ms: longer than any upload takes. */
const RENEWED_BEFORE_MS = 5 * 60 * 1000;

export interface CachedCredentials {
  current(): Promise<Credentials>;
  /** Drops credentials that were refused as expired. */
  drop(refused: Credentials): void;
}

/** Caches credentials until shortly before they expire. Concurrent callers share one renewal. */
export function cacheCredentials(source: CredentialSource, now: () => number = Date.now): CachedCredentials {
  let cached: Credentials | undefined;
  let renewal: Promise<Credentials> | undefined;

  function renew(): Promise<Credentials> {
    renewal ??= source()
      .then((credentials) => {
        cached = credentials;
        return credentials;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  }

  const left = ({ expiresAt }: Credentials) => (expiresAt ?? Number.POSITIVE_INFINITY) - now();

  return {
    async current() {
      const known = cached;
      if (known && left(known) > RENEWED_BEFORE_MS) return known;
      try {
        return await renew();
      } catch (error) {
        if (known && left(known) > 0) return known;
        throw error;
      }
    },
    drop(refused) {
      if (cached === refused) cached = undefined;
    },
  };
}
