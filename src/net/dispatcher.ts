import type { LookupFunction } from "node:net";
import type { buildConnector, Dispatcher } from "undici";
import makeConnector from "undici/lib/core/connect.js";
import symbols from "undici/lib/core/symbols.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Pool from "undici/lib/dispatcher/pool.js";
import { basicCredentials } from "./basic-credentials.ts";
import type { Connections } from "./exchange.ts";

/** How long one attempt to connect may take, TLS handshake included, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

export interface ConnectOptions {
  readonly proxy?: URL | undefined;
  /** Ends the connections that are still being made, which a dispatcher would wait for. */
  readonly signal?: AbortSignal;
  /** How sockets are made: to a path instead of a host, with certificates of one's own. */
  readonly socket?: buildConnector.BuildOptions | undefined;
  /** How long the other side may say nothing, in milliseconds; otherwise the deadline alone bounds it. */
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
    ...LIMITS,
    factory: poolOf,
    // undici's index gives every dispatcher this method, which the agent needs; its parts alone do not.
    clientFactory: (origin, options) => Object.assign(new Pool(origin, options), { connect: tunnel }),
    requestTls: connect,
    proxyTls: connect,
  });
}

/** Connections without a proxy, which are made as is said or by the connector that is given. */
export function directConnections(
  connect: buildConnector.BuildOptions | buildConnector.connector,
  { silenceMs = 0, most }: Pick<ConnectOptions, "silenceMs" | "most"> = {},
): Connections {
  const timeouts = { headersTimeout: silenceMs, bodyTimeout: silenceMs };
  return new Agent({ ...LIMITS, ...timeouts, ...(most && { connections: most }), connect, factory: poolOf });
}

export function connectorWith(lookup: LookupFunction): buildConnector.connector {
  return makeConnector({ allowH2: false, timeout: CONNECT_TIMEOUT_MS, lookup });
}

/**
 * A pool of connections that skip a `100 Continue`, which a proxy or an old server may send unasked. undici skips every
 * other interim response, but ends the connection at this one. So its parser is given another interim status.
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

/** The undici client that has just connected, with the parser of its socket. Its types do not declare them. */
interface ConnectedClient extends Dispatcher {
  [symbols.kSocket]?: { [symbols.kParser]?: Parser };
}
interface Parser {
  onHeadersComplete(status: number, ...rest: unknown[]): number;
}
