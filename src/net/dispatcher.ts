import type { LookupFunction } from "node:net";
import type { buildConnector, Dispatcher } from "undici";
import makeConnector from "undici/lib/core/connect.js";
import symbols from "undici/lib/core/symbols.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Pool from "undici/lib/dispatcher/pool.js";
import { basicCredentials } from "./basic-credentials.ts";
import type { Connections } from "./exchange.ts";

/** Timeout of one connection attempt including the TLS handshake, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

export interface ConnectOptions {
  readonly proxy?: URL | undefined;
  /** Aborts pending connection attempts, which a dispatcher would wait for. */
  readonly signal?: AbortSignal;
  /** Options of sockets, such as a path instead of a host, or certificates. */
  readonly socket?: buildConnector.BuildOptions | undefined;
  /** Timeout for silence of the other side, in milliseconds; only the deadline by default. */
  readonly silenceMs?: number | undefined;
  readonly most?: number | undefined;
}

/** The deadline bounds every stage, so undici's limits stay off. One request at a time needs only HTTP/1.1. */
const LIMITS = { headersTimeout: 0, bodyTimeout: 0, allowH2: false };

export async function openConnections({
  proxy,
  signal,
  socket,
  ...limits
}: ConnectOptions): Promise<Connections> {
  const connect = { timeout: CONNECT_TIMEOUT_MS, ...(signal && { signal }), ...socket };
  if (!proxy) return directConnections(connect, limits);
  const [{ default: ProxyAgent }, { default: tunnel }] = await Promise.all([
    import("undici/lib/dispatcher/proxy-agent.js"),
    import("undici/lib/api/api-connect.js"),
  ]);
  const token =
    proxy.username === ""
      ? undefined
      : `Basic ${basicCredentials(decodeURIComponent(proxy.username), decodeURIComponent(proxy.password))}`;
  return new ProxyAgent({
    uri: proxy.origin,
    ...(token && { token }),
    ...limitsOf(limits),
    factory: poolOf,
    // The agent needs this method, which only undici's index adds to every dispatcher.
    clientFactory: (origin, options) => Object.assign(new Pool(origin, options), { connect: tunnel }),
    requestTls: connect,
    proxyTls: connect,
  });
}

/** Opens connections without a proxy, with the given options or connector. */
export function directConnections(
  connect: buildConnector.BuildOptions | buildConnector.connector,
  limits: Limits = {},
): Connections {
  return new Agent({ ...limitsOf(limits), connect, factory: poolOf });
}

type Limits = Pick<ConnectOptions, "silenceMs" | "most">;

function limitsOf({ silenceMs = 0, most }: Limits) {
  const timeouts = { headersTimeout: silenceMs, bodyTimeout: silenceMs };
  return { ...LIMITS, ...timeouts, ...(most && { connections: most }) };
}

export function connectorWith(lookup: LookupFunction): buildConnector.connector {
  return makeConnector({ allowH2: false, timeout: CONNECT_TIMEOUT_MS, lookup });
}

/**
 * A pool of connections that skip a `100 Continue`, which a proxy or an old server may send unasked. undici skips every
 * other interim response but closes the connection at this one, so its parser gets another interim status.
 */
function poolOf(origin: URL | string, options: object): Pool {
  return new Pool(String(origin), options).on("connect", (_, targets) => {
    const client: ConnectedClient | undefined = targets.at(-1);
    const parser = client?.[symbols.kSocket]?.[symbols.kParser];
    if (!parser) return;
    const read = parser.onHeadersComplete.bind(parser);
    parser.onHeadersComplete = (status, ...rest) => read(status === CONTINUE ? PROCESSING : status, ...rest);
  });
}

const CONTINUE = 100;
const PROCESSING = 102;

/** A connected undici client with the parser of its socket, which its types do not declare. */
interface ConnectedClient extends Dispatcher {
  [symbols.kSocket]?: { [symbols.kParser]?: Parser };
}
interface Parser {
  onHeadersComplete(status: number, ...rest: unknown[]): number;
}
