/** Limits on clients' use of the service. Rates are per minute; 0 means no limit. */
export type ServiceLimits = Readonly<typeof DEFAULT_LIMITS>;

const NO_PROXIES: readonly string[] = [];

/** Far above legitimate use. */
export const DEFAULT_LIMITS = {
  bodyMemory: 256 * 1024 * 1024,
  bodyDisk: 1024 * 1024 * 1024,
  /** Seconds after which a body slower than 50 kB/s ends with 408. */
  bodyGrace: 30,
  keyRate: 60_000,
  addressRate: 120_000,
  failedLoginRate: 600,
  /** Notification rules of one organization; 0 means no limit. */
  maxRules: 200,
  /** Emails per hour to the recipients of one organization, per instance; 0 means no limit. */
  mailRate: 1_000,
  /** Addresses and networks of the proxies whose `X-Forwarded-For` or `Forwarded` header is trusted. */
  trustedProxies: NO_PROXIES,
};

/** Unlimited requests. */
export const NO_LIMITS = { keyRate: 0, addressRate: 0, failedLoginRate: 0 } as const;
