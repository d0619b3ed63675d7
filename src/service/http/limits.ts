/** How much of the service its users may take. Rates are per minute; 0 is no limit. */
export type ServiceLimits = Readonly<typeof DEFAULT_LIMITS>;

const NO_PROXIES: readonly string[] = [];

/** Far above what honest users need. */
export const DEFAULT_LIMITS = {
  bodyMemory: 256 * 1024 * 1024,
  bodyDisk: 1024 * 1024 * 1024,
  /** A body that is slower than 50 kB/s after this many seconds ends with 408. */
  bodyGrace: 30,
  keyRate: 60_000,
  addressRate: 120_000,
  failedLoginRate: 600,
  /** Notification rules of one organization; 0 is no limit. */
  maxRules: 200,
  /** Mails an hour to the recipients of one organization, by each instance; 0 is no limit. */
  mailRate: 1_000,
  /** Addresses and networks of the proxies that say in `X-Forwarded-For` or `Forwarded` where a request comes from. */
  trustedProxies: NO_PROXIES,
};

/** Requests as often as somebody likes. */
export const NO_LIMITS = { keyRate: 0, addressRate: 0, failedLoginRate: 0 } as const;
