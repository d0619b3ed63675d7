import type { Happening } from "../../events/projections/raise.ts";
import type { Database } from "../../store/tables.ts";

interface Turn {
  isBad: boolean;
  trigger: Happening["trigger"];
  word: string;
}

/**
 * Which way an environment turned, if it did. It turns non-compliant from anything else, its first snapshot included,
 * but compliant only from non-compliant: that it began well, or that its first policy found nothing, is no news.
 */
export function turnOf(before: boolean | null | undefined, after: boolean | null): Turn | undefined {
  if (after === false && before !== false) {
    return { isBad: true, trigger: "ON_NON_COMPLIANT_ENV", word: "non-compliant" };
  }
  if (after === true && before === false) {
    return { isBad: false, trigger: "ON_COMPLIANT_ENV", word: "compliant" };
  }
  return undefined;
}

/** The logical environments that turn with one that they are made of, by name: the others in them let them. */
export async function logicalEnvironments(
  db: Database,
  memberId: string,
  { isBad }: Turn,
): Promise<string[]> {
  const rows = await db
    .selectFrom("environment_members as part")
    .innerJoin("environments as logical", "logical.id", "part.environment_id")
    .innerJoin("environment_members as other", "other.environment_id", "logical.id")
    .innerJoin("environments as member", "member.id", "other.member_id")
    .leftJoin("snapshots", "snapshots.id", "member.latest_snapshot_id")
    .select(["logical.name", "member.id", "snapshots.state"])
    .where("part.member_id", "=", memberId)
    .where("logical.archived_at", "is", null)
    .where("member.archived_at", "is", null)
    .orderBy("logical.name")
    .execute();
  const allows = ({ id, state }: (typeof rows)[number]) =>
    id === memberId || (isBad ? state !== 0 : state === 1);
  return [...Map.groupBy(rows, ({ name }) => name)].flatMap(([name, members]) =>
    members.every(allows) ? name : [],
  );
}
