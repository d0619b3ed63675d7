import { type HookRecord, MAX_HOOKS } from "../../../../api/resources/hooks.ts";
import { record, recordChange } from "../../../events/record.ts";
import { Conflict, invalidInput, NotFound } from "../../../kernel/errors.ts";
import type { Links } from "../../../kernel/links.ts";
import { type Handler, requestContextOf } from "../../../operation/handler.ts";
import { type Hook, hooksOf, randomText } from "./records.ts";

/* The response to the creation contains the secret, so it is not stored for repeats. */

export const createHook: Handler<"createHook"> = async (call, context) => {
  const { org, caller, body } = call;
  const { name, kind, flowName } = body;
  const requestContext = requestContextOf(call, context);
  const secret = randomText();
  const id = randomText();
  const hook: Hook = {
    ...{ id, org_id: org.id, name, kind, flow_name: flowName ?? null },
    secret: context.secrets.seal(id, secret),
    ...{ account_id: caller.accountId, api_key_id: caller.keyId },
    ...{ created_by: caller.accountName, created_at: requestContext.now },
  };
  await context.store.write(async (db) => {
    const known = await hooksOf(db, org.id);
    if (known.some((other) => other.name === name))
      throw new Conflict("resource.exists", `Hook '${name}' already exists in organization '${org.name}'`);
    if (known.length >= MAX_HOOKS)
      throw invalidInput({ name: `An organization may have at most ${MAX_HOOKS} hooks` });
    await db.insertInto("hooks").values(hook).execute();
    const after = { kind, flow_name: hook.flow_name };
    await recordChange(db, requestContext, { type: "hook.created", subject: { name }, after });
  });
  return { status: 201, body: { ...hookView(hook, context.links), secret } };
};

export const listHooks: Handler<"listHooks"> = async ({ org }, { store, links }) => {
  const hooks = await hooksOf(store.read, org.id);
  return { status: 200, body: hooks.map((hook) => hookView(hook, links)) };
};

export const deleteHook: Handler<"deleteHook"> = async (call, context) => {
  const { org, params } = call;
  const name = params.hookName;
  await context.store.write(async (db) => {
    const deleted = await db
      .deleteFrom("hooks")
      .where("org_id", "=", org.id)
      .where("name", "=", name)
      .returning("kind")
      .executeTakeFirst();
    if (!deleted)
      throw new NotFound("hook.not_found", `Hook '${name}' does not exist in organization '${org.name}'`);
    const data = { details: { kind: deleted.kind } };
    await record(db, requestContextOf(call, context), { type: "hook.deleted", subject: { name }, data });
  });
  return { status: 200, body: "OK" };
};

function hookView({ id, name, kind, flow_name, created_by, created_at }: Hook, links: Links): HookRecord {
  return {
    name,
    kind,
    flowName: flow_name,
    url: links.api(["webhooks", kind, id]),
    createdBy: created_by,
    createdAt: created_at,
  };
}
