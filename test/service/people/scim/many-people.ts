import { insertRows } from "../../../../src/service/store/dialect.ts";
import { newId } from "../../../../src/service/store/ids.ts";
import type { Store } from "../../../../src/service/store/store.ts";

interface ManyPeople {
  readonly orgId: string;
  readonly provider: string;
  readonly count: number;
  readonly now: number;
}

/** Adds people who have signed in, and whose users SCIM has sent. Returns the ids of the users. */
export async function addPeople(
  store: Pick<Store, "write">,
  { orgId, provider, count, now }: ManyPeople,
): Promise<string[]> {
  const people = Array.from({ length: count }, (_, index) => {
    const name = `Person ${index} of ${newId()}`;
    return { id: newId(), userId: newId(), name };
  });
  await store.write(async (db) => {
    await insertRows(
      db,
      "people",
      people.map(({ id, name }) => ({
        id,
        name,
        org_id: null,
        email: null,
        created_at: now,
        last_seen_at: now,
        ended_at: null,
      })),
    );
    await insertRows(
      db,
      "scim_resources",
      people.map(({ id, userId, name }) => ({
        ...{ id: userId, org_id: orgId, provider, kind: "User", name, folded_name: name.toUpperCase() },
        ...{
          external_id: id,
          active: 1,
          resource: "{}",
          searched: "",
          person_id: id,
          pending: 0,
          version: 1,
        },
        ...{ created_at: now, changed_at: now, deleted_at: null },
      })),
    );
  });
  return people.map(({ userId }) => userId);
}
