/** Upgrade older tables, refuse to start, or leave them. Only `off` may skip the version check. */
export const MIGRATE = ["auto", "check", "off"] as const;
export type Migrate = (typeof MIGRATE)[number];
