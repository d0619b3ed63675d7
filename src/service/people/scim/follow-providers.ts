import { serviceContext } from "../../events/audit-log/contexts.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Job } from "../../ops/jobs.ts";
import { findOrganization } from "../accounts/organizations.ts";
import { providersFor } from "../sign-in/find-provider.ts";
import type { Logins } from "../sign-in/logins.ts";
import { followInSteps, linkedUserIds, noteKept } from "./pending.ts";
import { unfollowedUsers } from "./rights.ts";

interface Parts extends Pick<ServiceContext, "store" | "secrets" | "operators" | "now"> {
  readonly logins: Logins;
}

const HOUR_MS = 60 * 60 * 1000;
/** Number of people who are compared with the role map before other requests are served. */
const COMPARED_AT_ONCE = 100;

/**
 * Makes the roles that SCIM gave follow the role maps, which the operator may have changed before this start, and
 * settles what an instance that was killed left. Each instance runs it, because their files may differ during a
 * restart.
 */
export function followProviders({ logins, ...context }: Parts): Job {
  const { store } = context;
  return {
    name: "scim",
    failure: "Roles could not follow the groups that SCIM sent",
    everyMs: HOUR_MS,
    async run(stop) {
      const realms = await store.read
        .selectFrom("scim_resources")
        .innerJoin("organizations as org", "org.id", "scim_resources.org_id")
        .select(["org.name as orgName", "provider as name"])
        .distinct()
        .orderBy("org.name")
        .orderBy("provider")
        .execute();
      for (const { orgName, name } of realms) {
        const org = await findOrganization(store.read, orgName);
        if (org === undefined || stop.aborted) continue;
        const known = (await providersFor({ context, logins }, orgName)).find((each) => each.name === name);
        // The groups of a provider that was removed give no roles, until it is there again.
        const provider = known ?? { name, label: name, issuer: "", org: undefined, roleMap: [] };
        const by = { ...serviceContext(org.id, context.now()), accountName: provider.label };
        const following = { store, org, provider, by, stop };
        const users = await linkedUserIds(store.read, following);
        const changed: string[] = [];
        for (let start = 0; start < users.length; start += COMPARED_AT_ONCE) {
          const some = users.slice(start, start + COMPARED_AT_ONCE);
          changed.push(...(await unfollowedUsers(store.read, following, some)));
        }
        const kept = await followInSteps(following, changed);
        // Another user may have become an admin meanwhile.
        const again = kept.map(({ userId }) => userId);
        noteKept(await followInSteps(following, again), following, logins.log);
      }
    },
  };
}
