import type { updateTags } from "../../api/tags.ts";
import type { Organization } from "../kernel/organization.ts";
import type { Call, Handler } from "../operation/handler.ts";
import type { Database } from "../store/tables.ts";
import { changeTags, type TaggedType } from "./records.ts";

/** A kind of record that can have tags. */
export interface TaggedResource {
  readonly type: TaggedType;
  /**
   * Gives the id of what a path names.
   *
   * @throws NotFound
   */
  readonly find: (db: Database, org: Organization, name: string) => Promise<string>;
}

/** By each name that a path may call it. */
export type TaggedResources = Readonly<
  Record<Call<typeof updateTags>["params"]["resourceType"], TaggedResource>
>;

/** Tags know nothing of what is tagged: the service says it. */
export function updateTagsHandler(resources: TaggedResources): Handler<typeof updateTags> {
  return async ({ org, params, body }, { store }) => {
    const { type, find } = resources[params.resourceType];
    await store.write(async (db) => {
      const id = await find(db, org, params.resourceId);
      const changes = { set: body.setTags ?? {}, remove: body.removeTags ?? [] };
      await changeTags(db, { orgId: org.id, type, id }, changes);
    });
    return { status: 200, body: "OK" };
  };
}
