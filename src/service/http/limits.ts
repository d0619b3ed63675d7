/** How much of the service its users may take. Rates are per minute; 0 is no limit. */
export interface ServiceLimits {
  readonly bodyMemory: number;
  readonly bodyDisk: number;
  /** A body that is slower than 50 kB/s after this many seconds ends with 408. */
  readonly bodyGrace: number;
  readonly keyRate: number;
  readonly addressRate: number;
  readonly failedLoginRate: number;
  /** Notification rules of one organization; 0 is no limit. */
  readonly maxRules: number;
  /** Mails an hour to the recipients of one organization, by each instance; 0 is no limit. */
  readonly mailRate: number;
  /** Addresses and networks of the proxies that say in `X-Forwarded-For` or `Forwarded` where a request comes from. */
  readonly trustedProxies: readonly string[];
}

/** Far above what honest users need. */
export const DEFAULT_LIMITS: ServiceLimits = {
  bodyMemory: 256 * 1024 * 1024,
  bodyDisk: 1024 * 1024 * 1024,
  bodyGrace: 30,
  keyRate: 60_000,
  addressRate: 120_000,
  failedLoginRate: 600,
  maxRules: 200,
  mailRate: 1_000,
  trustedProxies: [],
};

/** Requests as often as somebody likes. */
export const NO_LIMITS = { keyRate: 0, addressRate: 0, failedLoginRate: 0 } as const;
