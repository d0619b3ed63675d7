import { commonState } from "../../environments/common-state.ts";
import { turnOf } from "../../environments/snapshots/turn.ts";
import { keptReasons } from "../../environments/snapshots/weightiest-reasons.ts";
import type { EnvironmentContent, Happening } from "../../events/projections/raise.ts";
import { raise } from "../../events/projections/raise.ts";
import { rulesOf } from "../../events/projections/rules.ts";
import type { Organization } from "../../kernel/organization.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { asBoolean } from "../running/intervals.ts";
import type { Judging } from "../snapshots/take-snapshot.ts";

interface Changing extends Pick<Judging, "context" | "now"> {
  readonly org: Organization;
  readonly environment: Pick<Tables["environments"], "id" | "name">;
}

/** Changes the members of a logical environment, and notifies rules if that turns the environment. */
export async function changeMembers(
  db: Database,
  { org, environment, context, now }: Changing,
  change: () => Promise<void>,
): Promise<void> {
  const before = await membersOf(db, environment.id);
  await change();
  const after = await membersOf(db, environment.id);
  const turned = turnOf(stateOf(before), stateOf(after));
  if (turned === undefined) return;
  const { name } = environment;
  const [word, bad] = turned.isBad
    ? ["NON-COMPLIANT", after.filter(({ state }) => state === 0)]
    : ["COMPLIANT", []];
  const known = new Set(before.map(({ id }) => id));
  const joined = after.filter(({ id }) => !known.has(id)).map((member) => `'${member.name}'`);
  const why = joined.length === 0 ? "its members changed" : `${joined.join(", ")} joined it`;
  const happening: Happening<EnvironmentContent> = {
    trigger: turned.trigger,
    place: name,
    each: async () => {
      const reasons: string[] = [];
      for (const { id } of bad.slice(0, MOST_REASONS)) reasons.push(...(await keptReasons(db, id)));
      const description = `${word}: logical environment '${name}' became ${turned.word} because ${why}.`;
      return [{ environment: name, description, reasons: reasons.slice(0, MOST_REASONS) }];
    },
  };
  await raise(db, { org, deliveries: context.deliveries, now }, await rulesOf(db, org.id, "env"), [
    happening,
  ]);
}

const MOST_REASONS = 5;

/** The members that are not archived, each with the state of its latest snapshot. */
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
