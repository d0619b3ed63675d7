/** Upgrade older tables, refuse to start, or leave them. Only `off` may start without a look at the version. */
export const MIGRATE = ["auto", "check", "off"] as const;
export type Migrate = (typeof MIGRATE)[number];
