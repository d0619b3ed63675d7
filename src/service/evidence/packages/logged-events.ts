import { hash } from "node:crypto";
import { LogRefused } from "../../events/log/evidence-log.ts";
import { policyOf, proofsOf, type SignedLog, type StoredEvent, signedLog } from "../../events/log/proofs.ts";
import type { Organization } from "../../kernel/caller.ts";
import type { EvidenceLog } from "../../operation/context.ts";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";
import { isUnavailable } from "../../store/unavailable.ts";
import type { TextFile } from "./package.ts";

/**
 * Adds the latest events to the log, so that a package can prove them. A log that may not sign, or a database that
 * cannot be reached, leaves it as it is.
 */
export async function keptUp(evidenceLog: EvidenceLog, org: Organization): Promise<void> {
  await evidenceLog.keepUp(org).catch((error: unknown) => {
    if (!(error instanceof LogRefused || isUnavailable(error))) throw error;
  });
}

interface LoggedEvents {
  /** For the manifest. */
  readonly about: { readonly origin: string; readonly size: number };
  readonly files: readonly TextFile[];
}

interface Logged {
  readonly trailIds: readonly string[];
  /** Only events about these records, and the ones that began the trails; by default all. */
  readonly subjectIds?: readonly string[];
  /** Flows and environments, whose names the log proves. */
  readonly placeIds: readonly string[];
  /** Texts of which the events have a digest. */
  readonly details: readonly string[];
  /** By default, the latest checkpoint. */
  readonly log?: SignedLog;
}

/** Types of events with which a trail begins. One that is older than the log has events that were carried over. */
const BEGINNING = ["trail.begun", "trail.carried_over"];
/** Types of events that name a flow or an environment. */
const NAMING = ["flow.created", "flow.renamed", "environment.created", "environment.renamed"];

/** The events of trails with their proofs. Undefined without a checkpoint that has all of them. */
export async function loggedEvents(
  db: Database,
  org: Organization,
  { trailIds, subjectIds, placeIds, details, ...given }: Logged,
): Promise<LoggedEvents | undefined> {
  const log = given.log ?? (await signedLog(db, org.id));
  if (log === undefined) return undefined;
  const ofTrails = await db
    .selectFrom("events")
    .selectAll()
    .where("trail_id", "in", listed(trailIds))
    .execute();
  const isWanted = ({ type, subject_id }: StoredEvent) =>
    subjectIds === undefined || BEGINNING.includes(type) || subjectIds.includes(subject_id ?? "");
  const names = await db
    .selectFrom("events")
    .selectAll()
    .where("org_id", "=", org.id)
    .where("subject_id", "in", listed(placeIds))
    .where("trail_id", "is", null)
    .where("type", "in", listed(NAMING))
    .execute();
  const events = [...ofTrails.filter(isWanted), ...names];
  const proven = await proofsOf(db, org.id, log, events);
  if (proven.length < events.length) return undefined;
  const { origin, size, checkpoint } = log;
  return {
    about: { origin, size },
    files: [
      { name: "log/checkpoint", text: checkpoint },
      { name: "log/policy.txt", text: await policyOf(db, org.id, origin) },
      ...proven.flatMap(({ index, event, proof }) => [
        { name: `log/events/${index}.json`, text: event },
        { name: `log/events/${index}.tlog-proof`, text: proof },
      ]),
      ...[...new Set(details)].map((text) => ({ name: `log/details/${hash("sha256", text)}.json`, text })),
    ],
  };
}
