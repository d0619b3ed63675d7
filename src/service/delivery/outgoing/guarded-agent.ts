import type { LookupAddress } from "node:dns";
import { lookup as systemLookup } from "node:dns/promises";
import type { LookupFunction, Socket } from "node:net";
import type { buildConnector } from "undici";
import { connectorWith, directConnections } from "../../../net/dispatcher.ts";
import type { Connections } from "../../../net/exchange.ts";
import type { AddressRules } from "./address-rules.ts";
import { addressIn, type TargetOptions, type TargetRules, targetRules } from "./target-address.ts";

type Lookup = (hostname: string) => Promise<readonly LookupAddress[]>;
const lookUp: Lookup = (hostname) => systemLookup(hostname, { all: true });

export interface GuardedAgentOptions extends TargetOptions {
  /** Replaces the system's lookup in tests. */
  readonly lookup?: Lookup;
}

export interface GuardedAgent {
  /** Rules that are checked before the lookup. */
  readonly rules: TargetRules;
  readonly connections: Connections;
  close(): Promise<void>;
}

/** Nothing was sent, because notifications may not reach the address. */
export class RefusedAddress extends Error {
  override readonly name = "RefusedAddress";
}

class NoAddress extends Error {
  override readonly name = "NoAddress";
  readonly code = "ENOTFOUND";
}

/**
 * Reaches public addresses and those that the operator allows. Uses no proxy, because a proxy would resolve names.
 * No lookup is cached. Reused connections were checked when opened. @throws Error naming an invalid `allowTargets` entry
 */
export function guardedAgent({ lookup = lookUp, ...options }: GuardedAgentOptions): GuardedAgent {
  const rules = targetRules(options);
  const connect = guarded(connectorWith(guardedLookup(lookup, rules.addresses)), rules.addresses);
  const connections = directConnections(connect);
  return { rules, connections, close: () => connections.destroy() };
}

/** Checks IP addresses before connecting, because sockets do not look them up, and the peer after connecting. */
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
  // The peer has already closed the connection.
  if (remoteAddress === undefined) return Object.assign(new Error("closed"), { code: "ECONNRESET" });
  const problem = addresses.problemOf(remoteAddress);
  return problem === undefined
    ? undefined
    : new RefusedAddress(`The connection reached a refused address: ${problem}`);
}

/** A lookup that returns only checked addresses. One refused address refuses all. */
function guardedLookup(lookup: Lookup, addresses: AddressRules): LookupFunction {
  return (hostname, { all }, callback) => {
    const answer = async () => {
      const found = await lookup(hostname);
      const [first] = found;
      if (first === undefined) throw new NoAddress(`${hostname} has no address`);
      for (const { address } of found) {
        const problem = addresses.problemOf(address);
        if (problem !== undefined) throw new RefusedAddress(`${hostname} has a refused address: ${problem}`);
      }
      return { found, first };
    };
    answer().then(
      ({ found, first }) => (all ? callback(null, [...found]) : callback(null, first.address, first.family)),
      (error: Error) => callback(error, ""),
    );
  };
}
