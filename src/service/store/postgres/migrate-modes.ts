/**
 * What to do about tables of an older version, or none: bring them up to date, refuse to start, or trust that they are
 * as they should be, for a user who may not even look.
 */
export const MIGRATE = ["auto", "check", "off"] as const;
export type Migrate = (typeof MIGRATE)[number];
