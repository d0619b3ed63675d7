import { recordChange } from "../events/record.ts";
import type { Organization } from "../kernel/caller.ts";
import { type Call, type Handler, requestContextOf } from "../operation/handler.ts";
import type { Database } from "../store/tables.ts";
import { changeTags, type TaggedType, tagsOf } from "./tag-records.ts";

export interface TaggedResource {
  readonly type: TaggedType;
  /** @throws NotFound */
  readonly find: (db: Database, org: Organization, name: string) => Promise<{ id: string; name: string }>;
}

type TaggedResources = Readonly<Record<Call<"updateTags">["params"]["resourceType"], TaggedResource>>;

/** Creates the handler. The caller supplies the lookups, so that tags do not depend on the tagged resources. */
export function updateTagsHandler(resources: TaggedResources): Handler<"updateTags"> {
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
        type: `${type}.tagged`,
        subject: resource,
        before,
        after: await tags(),
      });
    });
    return { status: 200, body: "OK" };
  };
}
