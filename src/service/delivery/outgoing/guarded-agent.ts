import type { LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns/promises";
import type { LookupFunction, Socket } from "node:net";
import type { buildConnector, Dispatcher } from "undici";
import makeConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import type { AddressRules } from "./address-rules.ts";
import { addressIn, type TargetOptions, type TargetRules, targetRules } from "./target-address.ts";

/** How long one attempt to connect may take, TLS handshake included, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Finds the addresses of a name. */
type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;

export interface GuardedAgentOptions extends TargetOptions {
  /** Stands in for the system's, in tests. */
  readonly lookup?: Lookup;
}

/** The connections that notifications leave by. */
export interface GuardedAgent {
  /** What is refused before anything is looked up. */
  readonly rules: TargetRules;
  readonly dispatcher: Dispatcher;
  /** Closes every connection at once. */
  close(): Promise<void>;
}

/** Nothing was sent, as it would have gone to an address that notifications may not reach. */
export class RefusedAddress extends Error {
  override readonly name = "RefusedAddress";
}

/** A name that leads nowhere. */
class NoAddress extends Error {
  override readonly name = "NoAddress";
  readonly code = "ENOTFOUND";
}

/**
 * The agent that reaches public addresses and those that the operator allows, and no other. It has no proxy, which
 * would look names up itself, and it keeps no answer of a name server: every new connection asks anew.
 *
 * A connection that is kept for the next request to its host leads where it was allowed to.
 *
 * @throws Error that names an entry of `allowTargets` which is neither an address nor a network
 */
export function guardedAgent({ lookup = lookUp, ...options }: GuardedAgentOptions): GuardedAgent {
  const rules = targetRules(options);
  const connect = guarded(
    makeConnector({
      allowH2: false,
      timeout: CONNECT_TIMEOUT_MS,
      lookup: guardedLookup(lookup, rules.addresses),
    }),
    rules.addresses,
  );
  // The deadline of a request bounds all its stages together.
  const dispatcher = new Agent({ connect, headersTimeout: 0, bodyTimeout: 0 });
  return { rules, dispatcher, close: () => dispatcher.destroy() };
}

/**
 * A connector with a gate before and one behind it. Sockets look up names alone, so a host that is an address is
 * looked at here; and whatever was looked up, the peer of the connection is what counts.
 */
export function guarded(
  connector: buildConnector.connector,
  addresses: AddressRules,
): buildConnector.connector {
  return (options, callback) => {
    const address = addressIn(options.hostname);
    const problem = address === undefined ? undefined : addresses.problemOf(address);
    if (problem !== undefined) return callback(new RefusedAddress(problem), null);
    connector(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      const wrongPeer = problemOfPeer(socket, addresses);
      if (wrongPeer === undefined) return callback(null, socket);
      socket.destroy();
      callback(wrongPeer, null);
    });
  };
}

function problemOfPeer({ remoteAddress }: Socket, addresses: AddressRules): Error | undefined {
  // It has hung up before it could be looked at.
  if (remoteAddress === undefined) return Object.assign(new Error("closed"), { code: "ECONNRESET" });
  const problem = addresses.problemOf(remoteAddress);
  return problem === undefined ? undefined : new RefusedAddress(`The connection led elsewhere: ${problem}`);
}

/** The lookup of a socket, which is given the very addresses that were looked at. One that is refused refuses all. */
function guardedLookup(lookup: Lookup, addresses: AddressRules): LookupFunction {
  return (hostname, { all }, callback) => {
    const answer = async () => {
      const found = await lookup(hostname);
      const [first] = found;
      if (first === undefined) throw new NoAddress(`${hostname} has no address`);
      for (const { address } of found) {
        const problem = addresses.problemOf(address);
        if (problem !== undefined)
          throw new RefusedAddress(`${hostname} has an address that is refused: ${problem}`);
      }
      return { found, first };
    };
    answer().then(
      ({ found, first }) => (all ? callback(null, [...found]) : callback(null, first.address, first.family)),
      (error: Error) => callback(error, ""),
    );
  };
}

function lookUp(hostname: string): Promise<LookupAddress[]> {
  return systemLookup(hostname, { all: true });
}
