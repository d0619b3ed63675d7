import type { Descriptor } from "../../../evidence/provenance/statements/statement.ts";
import { decisionsOf } from "../../evidence/controls/decisions.ts";
import type { Organization } from "../../kernel/caller.ts";
import type { Links } from "../../kernel/links.ts";
import { listed } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import type { Evaluated } from "../asserts.ts";

/** Events that record the subject. */
const RECORDS = ["artifact.reported", "attestation.recorded", "attestation.overridden"];

/**
 * Reports, attestations and decisions that a verdict depends on. Each has the digest of its event, which is an entry of
 * the evidence log, and the address of its proof.
 */
export async function inputsOf(
  db: Database,
  { org, links }: { org: Organization; links: Links },
  { reports, attestations, body: { fingerprint, scope } }: Evaluated,
): Promise<Descriptor[]> {
  const decisions =
    scope === "flow" ? [] : ((await decisionsOf(db, org.id, [fingerprint])).get(fingerprint) ?? []);
  // Decisions about the artifact may be in other trails.
  const inTrails = await db
    .selectFrom("attestations")
    .select("trail_id")
    .distinct()
    .where("id", "in", listed(idsOf(decisions)))
    .execute();
  const trailIds = [...reports.map(({ trail }) => trail?.id), ...inTrails.map(({ trail_id }) => trail_id)];
  const events = await db
    .selectFrom("events")
    .select(["id", "digest"])
    .where("trail_id", "in", listed([...new Set(trailIds.flatMap((id) => id ?? []))]))
    .where("subject_id", "in", listed(idsOf([...reports, ...attestations, ...decisions])))
    .where("type", "in", listed(RECORDS))
    .execute();
  return events
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ id, digest }) => ({
      uri: links.api(["log", org.name, "proof"], { event_id: id }),
      digest: { sha256: digest },
    }));
}
