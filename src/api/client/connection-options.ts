import type { ProxyVariables } from "../../net/proxy.ts";
import type { pause, RetryNote } from "../../net/retry.ts";

/** Addresses of the hosted service, by region. */
export const REGIONS = {
  eu: "https://app.kosli.com/api/v2",
  us: "https://app.us.kosli.com/api/v2",
} as const;
/** A region of the hosted service. */
export type Region = keyof typeof REGIONS;

/** Options of an {@link EvidenceClient}. */
export interface ConnectionOptions {
  /** API key of a service account. */
  readonly apiKey: string;
  /** Name of the organization. */
  readonly org: string;
  /** Region of the hosted service. `region` or `baseUrl` is required. */
  readonly region?: Region;
  /** Address of the service, with or without `/api/v2`. Overrides `region`. */
  readonly baseUrl?: string;
  /** Authentication scheme: `bearer` by default, `basic` for older services. */
  readonly authScheme?: "bearer" | "basic";
  /** Timeout of a call with all its retries, in seconds: 120 by default, at most 86,400. */
  readonly timeout?: number;
  /** Makes `timeout` the limit of all calls of this connection together, counted from the first call. */
  readonly oneDeadline?: boolean;
  /** Cancels all calls. They reject with its reason. */
  readonly signal?: AbortSignal;
  /** Number of retries after a failed attempt. */
  readonly retries?: number;
  /** Allows http:// to other machines. The key is sent unencrypted. */
  readonly allowHttp?: boolean;
  /** Variables with the proxy settings, usually `process.env`. Without them, no proxy is used. */
  readonly proxyVariables?: ProxyVariables;
  /** Called before each retry. */
  readonly onRetry?: (note: RetryNote) => void;
  /** Replaces the waits between attempts, for tests. */
  readonly pause?: typeof pause | undefined;
}
