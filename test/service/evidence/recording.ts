import { findPlace, type OpenTrail, openTrail } from "../../../src/service/evidence/trails/open-trail.ts";
import type { ActContext, Organization } from "../../../src/service/kernel/caller.ts";
import type { Database } from "../../../src/service/store/tables.ts";

/** An account that records without a request and without notifications. */
export function actOf({ id }: { id: string }, now: number): ActContext {
  return { orgId: id, accountId: null, accountName: "ada", keyId: null, address: null, requestId: null, now };
}

/** The trail of that name, created if it does not exist. */
export async function trailNamed(
  db: Database,
  org: Organization,
  [flowName, trailName]: readonly [string, string],
  now: number,
): Promise<OpenTrail & { trailName: string }> {
  const names = { flowName, trailName };
  const found = await findPlace(db, org.id, names);
  return { ...(await openTrail(db, org, names, actOf(org, now), found)), trailName };
}
