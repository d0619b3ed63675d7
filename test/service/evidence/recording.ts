import { findPlace, type OpenTrail, openTrail } from "../../../src/service/evidence/trails/open-trail.ts";
import type { TellingOfFlow } from "../../../src/service/evidence/trails/records.ts";
import type { ActContext, Organization } from "../../../src/service/kernel/caller.ts";
import { makeLinks } from "../../../src/service/kernel/links.ts";
import type { Database } from "../../../src/service/store/tables.ts";

/** Somebody who records without a request. */
export function actOf({ id }: { id: string }, now: number): ActContext {
  return { orgId: id, accountName: "ada", keyId: null, address: null, requestId: null, now };
}

/** That nobody is told of what is recorded. */
export function toldNobody(org: Organization): TellingOfFlow {
  return {
    org,
    links: makeLinks(() => "https://evidence.example"),
    deliveries: { wake: () => {} },
    rules: [],
  };
}

/** The trail of that name, made when it does not exist. */
export async function trailNamed(
  db: Database,
  org: Organization,
  [flowName, trailName]: readonly [string, string],
  now: number,
): Promise<OpenTrail & { trailName: string }> {
  const names = { flowName, trailName };
  const found = await findPlace(db, org.id, names);
  return { ...(await openTrail(db, names, actOf(org, now), toldNobody(org), found)), trailName };
}
