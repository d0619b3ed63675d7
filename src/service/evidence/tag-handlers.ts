import type { updateTags } from "../../api/resources/tags.ts";
import { recordChange } from "../audit-log/record-act.ts";
import type { Organization } from "../kernel/organization.ts";
import type { Call, Handler } from "../operation/handler.ts";
import { requestContextOf } from "../operation/request-context.ts";
import type { Database } from "../store/tables.ts";
import { changeTags, type TaggedType, tagsOf } from "./tag-records.ts";

/** A kind of record that can have tags. */
export interface TaggedResource {
  readonly type: TaggedType;
  /**
   * Gives the id of what a path names, and its name.
   *
   * @throws NotFound
   */
  readonly find: (db: Database, org: Organization, name: string) => Promise<{ id: string; name: string }>;
}

/** By each name that a path may call it. */
export type TaggedResources = Readonly<
  Record<Call<typeof updateTags>["params"]["resourceType"], TaggedResource>
>;

/** Tags know nothing of what is tagged: the service says it. */
export function updateTagsHandler(resources: TaggedResources): Handler<typeof updateTags> {
  return async (call, context) => {
    const { org, params, body } = call;
    const { type, find } = resources[params.resourceType];
    await context.store.write(async (db) => {
      const requestContext = requestContextOf(call, context);
      const resource = await find(db, org, params.resourceId);
      const { id } = resource;
      const tags = async () => (await tagsOf(db, type, [id])).get(id) ?? {};
      const before = await tags();
      const changes = { set: body.setTags ?? {}, remove: body.removeTags ?? [] };
      await changeTags(db, { orgId: org.id, type, id }, changes);
      await recordChange(db, requestContext, {
        act: `${type}.tagged`,
        resource,
        before,
        after: await tags(),
      });
    });
    return { status: 200, body: "OK" };
  };
}
