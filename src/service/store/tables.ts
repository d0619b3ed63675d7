import type { Kysely, Selectable } from "kysely";
import { ACCOUNT_TABLES } from "./account-tables.ts";
import { DEVICE_TABLES } from "./device-tables.ts";
import { ENVIRONMENT_TABLES } from "./environment-tables.ts";
import { EVIDENCE_TABLES } from "./evidence-tables.ts";
import { INSTALLATION_TABLES } from "./installation-tables.ts";
import { LOG_TABLES } from "./log-tables.ts";
import { NOTIFICATION_TABLES } from "./notification-tables.ts";
import { MEMBER_TABLES } from "./people-tables.ts";
import { RULE_TABLES } from "./rule-tables.ts";
import type { RowOf } from "./schema.ts";
import { SEARCH_TABLES } from "./search-tables.ts";

export type { ComplianceState } from "./evidence-tables.ts";

/**
 * All tables, each after those that it refers to. `sequence` increases with each record; a store
 * with several writers assigns it only while it holds the lock of the record's organization.
 */
export const TABLES = {
  ...ACCOUNT_TABLES,
  ...MEMBER_TABLES,
  ...DEVICE_TABLES,
  ...EVIDENCE_TABLES,
  ...LOG_TABLES,
  ...SEARCH_TABLES,
  ...RULE_TABLES,
  ...ENVIRONMENT_TABLES,
  ...NOTIFICATION_TABLES,
  ...INSTALLATION_TABLES,
};

export type Tables = { [Name in keyof typeof TABLES]: RowOf<(typeof TABLES)[Name]> };
type TableName = keyof Tables & string;
export const TABLE_NAMES = Object.keys(TABLES) as readonly TableName[];
export type Database = Kysely<Tables>;
export type AttestationRow = Selectable<Tables["attestations"]>;
