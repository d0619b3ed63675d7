/**
 * What to do about tables of an older version, or none: bring them up to date, refuse to start, or leave them to
 * somebody else and start on older ones too. Tables of a newer version that this one cannot work on are always refused,
 * unless with `off` by a user who may not see which they are.
 */
export const MIGRATE = ["auto", "check", "off"] as const;
export type Migrate = (typeof MIGRATE)[number];
