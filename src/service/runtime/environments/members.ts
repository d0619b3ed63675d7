import { record } from "../../events/record.ts";
import type { ActContext } from "../../kernel/caller.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { commonState, turnOf } from "../running/compliance.ts";
import { asBoolean } from "../running/intervals.ts";

/** Changes members and records an event if the state of the logical environment changes. */
export async function changeMembers(
  db: Database,
  environment: Pick<Tables["environments"], "id" | "name">,
  by: ActContext,
  change: () => Promise<void>,
): Promise<void> {
  const before = await membersOf(db, environment.id);
  await change();
  const after = await membersOf(db, environment.id);
  const compliant = turnOf(stateOf(before), stateOf(after));
  if (compliant === undefined) return;
  const known = new Set(idsOf(before));
  await record(db, by, {
    type: "environment.turned",
    subject: environment,
    data: {
      is_compliant: compliant,
      joined: after.filter(({ id }) => !known.has(id)).map(({ name }) => name),
    },
    seen: {
      environment,
      failing: idsOf(after.filter(({ state }) => state === 0)),
    },
  });
}

/** Unarchived members with the state of their latest snapshot. */
function membersOf(db: Database, environmentId: string) {
  return db
    .selectFrom("environment_members as part")
    .innerJoin("environments as member", "member.id", "part.member_id")
    .leftJoin("snapshots", "snapshots.id", "member.latest_snapshot_id")
    .select(["member.id", "member.name", "snapshots.state"])
    .where("part.environment_id", "=", environmentId)
    .where("member.archived_at", "is", null)
    .orderBy("member.name")
    .execute();
}

function stateOf(members: readonly { state: number | null }[]): boolean | null {
  return commonState(members.map(({ state }) => asBoolean(state)));
}
