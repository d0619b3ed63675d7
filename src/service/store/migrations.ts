import type { Kysely } from "kysely";
import type { Migration } from "kysely/migration";
import { changeTables } from "./dialect.ts";
import { baseline } from "./migrations/0001-baseline.ts";
import { runningIntervals } from "./migrations/0009-running-intervals.ts";
import { keptCompliance } from "./migrations/0010-kept-compliance.ts";
import { counters } from "./migrations/0011-counters.ts";
import { auditLog } from "./migrations/0012-audit-log.ts";
import { attachmentsPlace } from "./migrations/0014-attachments-place.ts";
import { instances } from "./migrations/0016-instances.ts";
import { notifications } from "./migrations/0018-notifications.ts";
import { sessions } from "./migrations/0020-sessions.ts";
import { identity } from "./migrations/0022-identity.ts";
import { keyExpiry } from "./migrations/0024-key-expiry.ts";
import { trustInUse } from "./migrations/0026-trust-in-use.ts";
import { fourEyes } from "./migrations/0028-four-eyes.ts";
import { rulesWithoutHealth } from "./migrations/0030-rules-without-health.ts";
import { repoNamespaces } from "./migrations/0032-repo-namespaces.ts";
import { overrideSeries } from "./migrations/0033-override-series.ts";
import { selfRotation } from "./migrations/0034-self-rotation.ts";
import { unusedOrigins } from "./migrations/0036-unused-origins.ts";
import { shareLinkIds } from "./migrations/0038-share-link-ids.ts";
import { sealedAddresses } from "./migrations/0039-sealed-addresses.ts";
import { sweepFence } from "./migrations/0040-sweep-fence.ts";
import { auditChain } from "./migrations/0041-audit-chain.ts";

/** The step that stands for those of `former-steps.ts`, which is why the next one has a higher number. */
export const BASELINE = "0001-baseline";

/** The step since which instances are known to each other. */
export const INSTANCES_STEP = "0016-instances";

/** A step from the tables of one version to those of the next. */
export interface Step extends Migration {
  /** An older version can work on the records after it, and beside this one: columns and tables that it need not know. */
  readonly compatible?: true;
}

/** The steps that made the tables, in the order of their names. A released step never changes. */
export const migrations: Readonly<Record<string, Step>> = {
  [BASELINE]: statements(baseline),
  "0009-running-intervals": runningIntervals,
  "0010-kept-compliance": keptCompliance,
  "0011-counters": statements(counters),
  "0012-audit-log": statements(auditLog),
  "0014-attachments-place": statements(attachmentsPlace),
  [INSTANCES_STEP]: statements(instances),
  "0018-notifications": notifications,
  "0020-sessions": { ...statements(sessions), compatible: true },
  // An older version would take a key that is for some flows for one of all.
  "0022-identity": statements(identity),
  "0024-key-expiry": { ...statements(keyExpiry), compatible: true },
  // An older version would take the tokens of a policy that is switched off.
  "0026-trust-in-use": statements(trustInUse),
  "0028-four-eyes": { ...statements(fourEyes), compatible: true },
  "0030-rules-without-health": { ...statements(rulesWithoutHealth), compatible: true },
  "0032-repo-namespaces": { ...statements(repoNamespaces), compatible: true },
  "0033-override-series": { ...overrideSeries, compatible: true },
  "0034-self-rotation": { ...statements(selfRotation), compatible: true },
  "0036-unused-origins": { ...statements(unusedOrigins), compatible: true },
  // An older version would make links that have no id.
  "0038-share-link-ids": shareLinkIds,
  // An older version would take sealed addresses for web addresses.
  "0039-sealed-addresses": sealedAddresses,
  "0040-sweep-fence": { ...statements(sweepFence), compatible: true },
  // An older version would add entries that are not counted.
  "0041-audit-chain": auditChain,
};

/** A step of SQL statements, each ended by a semicolon. */
function statements(text: string): Step {
  return { up: (db) => run(db, text) };
}

async function run(db: Kysely<unknown>, text: string): Promise<void> {
  for (const statement of text.split(";")) {
    if (statement.trim() !== "") await changeTables(db, statement);
  }
}
