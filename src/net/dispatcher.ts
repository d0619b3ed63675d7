import type { Dispatcher } from "undici";
import request from "undici/lib/api/api-request.js";
import symbols from "undici/lib/core/symbols.js";
import Agent from "undici/lib/dispatcher/agent.js";
import Pool from "undici/lib/dispatcher/pool.js";
import { basicCredentials } from "./basic-credentials.ts";

/** How long one attempt to connect may take, TLS handshake included, in milliseconds. */
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * The deadline bounds every stage together, so undici's own limits on headers and body stay off. HTTP/1.1 is all that
 * one request at a time needs.
 */
export async function makeDispatcher(proxy: URL | undefined, signal: AbortSignal): Promise<Dispatcher> {
  const limits = { headersTimeout: 0, bodyTimeout: 0, allowH2: false };
  const connect = { timeout: CONNECT_TIMEOUT_MS, signal };
  if (!proxy) return new Agent({ ...limits, connect, factory: poolOf });
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
    ...limits,
    factory: poolOf,
    // undici's index gives every dispatcher this method, which the agent needs; its parts alone do not.
    clientFactory: (origin, options) => Object.assign(new Pool(origin, options), { connect: tunnel }),
    requestTls: connect,
    proxyTls: connect,
  });
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

/** The connections that requests to one service go through. */
export interface Connections {
  ask(options: Parameters<typeof request>[0]): Promise<Dispatcher.ResponseData>;
  /** Closes every connection at once. */
  destroy(): Promise<void>;
}

export async function openConnections(proxy: URL | undefined, signal: AbortSignal): Promise<Connections> {
  const dispatcher = await makeDispatcher(proxy, signal);
  return { ask: (options) => request.call(dispatcher, options), destroy: () => dispatcher.destroy() };
}
