import type { Dispatcher } from "undici";
import request from "undici/lib/api/api-request.js";
import Agent from "undici/lib/dispatcher/agent.js";
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
  if (!proxy) return new Agent({ ...limits, connect });
  const [{ default: ProxyAgent }, { default: Pool }, { default: tunnel }] = await Promise.all([
    import("undici/lib/dispatcher/proxy-agent.js"),
    import("undici/lib/dispatcher/pool.js"),
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
    // undici's index gives every dispatcher this method, which the agent needs; its parts alone do not.
    clientFactory: (origin, options) => Object.assign(new Pool(origin, options), { connect: tunnel }),
    requestTls: connect,
    proxyTls: connect,
  });
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
