import { renameInRules } from "../../delivery/rules/rule-events.ts";
import { recordChange } from "../../events/record.ts";
import type { ActType } from "../../events/types/event-types.ts";
import { withPatterns } from "../../judging/patterns/with-patterns.ts";
import { isAllowed } from "../../kernel/access.ts";
import type { ActContext, Caller } from "../../kernel/caller.ts";
import { pageFields, sliceOf } from "../../kernel/paging.ts";
import { namesIn } from "../../kernel/scope.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { type Handler, requestContextOf, type Sender } from "../../operation/handler.ts";
import type { Database } from "../../store/tables.ts";
import { type EvaluationContext, reevaluate } from "../snapshots/take-snapshot.ts";
import { attachPolicies as attach, detachPolicies as detach, policyNamesOf } from "./attached-policies.ts";
import { environmentRecords, environmentView, listEnvironments as findEnvironments } from "./list.ts";
import {
  archiveEnvironment as archive,
  changeEnvironment,
  findEnvironment,
  joinEnvironment as join,
  memberNamesOf,
  nameWhenReplaced,
  putEnvironment,
  renameEnvironment as rename,
  requireEnvironment,
  touchEnvironment,
} from "./records.ts";

const OK = { status: 200, body: "OK" } as const;
const DEFAULT_PER_PAGE = 15;

/** Whether a caller may change requirements. Snapshotters and callers with a limited scope may not. */
function mayManage({ role, scope }: Pick<Caller, "role" | "scope">): boolean {
  return isAllowed(role, "write") && scope === null;
}

export const createEnvironment: Handler<"createEnvironment"> = async (call, context) => {
  const { org, body, caller } = call;
  const fields = {
    name: body.name,
    type: body.type,
    description: body.description,
    requireProvenance: body.requireProvenance ?? undefined,
    members: body.includedEnvironments ?? undefined,
    policies: body.policies ?? undefined,
    mayManage: mayManage(caller),
  };
  await changeAndReevaluate(call, context, body, (db, evaluation) =>
    putEnvironment(db, org, fields, evaluation),
  );
  // Also for updates, because clients expect no other status.
  return { status: 201, body: "OK" };
};

export const listEnvironments: Handler<"listEnvironments"> = async (
  { org, caller, params },
  { store, links },
) => {
  const { sort, sortDirection, name, type, tag } = params;
  const spaces = (params.spaceId ?? []).filter((id) => id !== "");
  const names = namesIn(caller.scope, "environments");
  const filter = { names, name: name === "" ? undefined : name, types: type, tags: tag };
  const paged = params.page !== undefined || params.perPage !== undefined;
  const page = { page: params.page ?? 1, perPage: params.perPage ?? DEFAULT_PER_PAGE };
  const order = { sort, direction: sortDirection, slice: paged ? sliceOf(page) : undefined };
  // The interface's spaces do not exist in this service.
  const { total, environments } =
    spaces.length > 0
      ? { total: 0, environments: [] }
      : await store.readTogether((db) => findEnvironments(db, org.id, filter, order));
  const views = environments.map((record) => environmentView(record, org.name));
  if (!paged) return { status: 200, body: views };
  const query = { sort, sort_direction: sortDirection, name: filter.name, type, tag, space_id: spaces };
  return {
    status: 200,
    body: {
      ...pageFields({ ...page, total }, (paging) =>
        links.api(["environments", org.name], { ...query, ...paging }),
      ),
      environments: views,
    },
  };
};

export const getEnvironment: Handler<"getEnvironment"> = async ({ org, params }, { store }) =>
  store.readTogether(async (db) => {
    const row = await requireEnvironment(db, org, params.envName);
    const [record] = await environmentRecords(db, [row]);
    if (!record) throw new Error(`Environment '${row.name}' was removed during the read`);
    return { status: 200, body: environmentView(record, org.name) };
  });

export const updateEnvironment: Handler<"updateEnvironment"> = async (call, context) => {
  const { org, params, caller } = call;
  const name = params.envName;
  const changes = { ...call.body, mayManage: mayManage(caller) };
  await changeAndReevaluate(call, context, { name }, (db, evaluation) =>
    changeEnvironment(db, org, name, changes, evaluation),
  );
  return OK;
};

export const renameEnvironment: Handler<"renameEnvironment"> = async (call, context) => {
  const names = { name: call.params.envName, newName: call.body.newName };
  const renaming = { type: "env", from: names.name, to: names.newName } as const;
  await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    await changeRecorded(db, requestContext, names, () => rename(db, call.org, names, requestContext.now));
    await renameInRules(db, requestContext, renaming);
  });
  return OK;
};

export const archiveEnvironment: Handler<"archiveEnvironment"> = async (call, context) => {
  const name = call.params.envName;
  await context.store.write((db) => {
    const requestContext = requestContextOf(call, context);
    return changeRecorded(db, requestContext, { name }, () =>
      archive(db, call.org, name, requestContext.now),
    );
  });
  return OK;
};

export const joinEnvironment: Handler<"joinEnvironment"> = async (call, context) => {
  const names = { name: call.params.envName, physical: call.body.physicalEnvName };
  await context.store.write((db) => {
    const requestContext = requestContextOf(call, context);
    return changeRecorded(db, requestContext, names, () => join(db, call.org, names, requestContext));
  });
  return OK;
};

/** Changes policies, then reevaluates the environment. */
function changePolicies(change: typeof attach): Handler<"attachPolicies"> & Handler<"detachPolicies"> {
  return async (call, context) => {
    const { org, params, body } = call;
    const name = params.envName;
    await changeAndReevaluate(call, context, { name }, async (db, evaluation) => {
      const environment = await requireEnvironment(db, org, name);
      await change(db, org, environment, body.policyNames);
      await touchEnvironment(db, environment.id, evaluation.by.now);
      await reevaluate(db, { org, environmentId: environment.id, ...evaluation });
    });
    return OK;
  };
}

export const attachPolicies = changePolicies(attach);
export const detachPolicies = changePolicies(detach);

/** Records a change that can affect the compliance of running artifacts, and reevaluates them. */
function changeAndReevaluate(
  call: Sender,
  context: ServiceContext,
  subject: { name: string },
  change: (db: Database, evaluation: EvaluationContext) => Promise<void>,
): Promise<void> {
  return withPatterns({ patterns: context.patterns, orgId: call.org.id }, (patterns) =>
    context.store.write((db) => {
      const by = requestContextOf(call, context);
      return changeRecorded(db, by, subject, () => change(db, { patterns, by }));
    }),
  );
}

/** An environment with policies and members, for events. */
type RecordedState = NonNullable<Awaited<ReturnType<typeof findState>>>["state"];

/** Makes a change and records the difference, if any. @param newName the name after a rename */
async function changeRecorded(
  db: Database,
  context: ActContext,
  { name, newName = name }: { name: string; newName?: string },
  change: () => Promise<void>,
): Promise<void> {
  const found = await findState(db, context.orgId, name);
  await change();
  const after = await findState(db, context.orgId, newName);
  const isReplaced = found !== undefined && after !== undefined && found.id !== after.id;
  if (isReplaced) {
    await recordChange(db, context, {
      type: "environment.renamed",
      subject: { name, id: found.id },
      before: { name },
      after: { name: nameWhenReplaced({ name, id: found.id }) },
    });
  }
  const before = isReplaced ? undefined : found;
  if (!after) throw new Error(`Environment '${newName}' was not found after its change`);
  await recordChange(db, context, {
    type: actOf(before?.state, after.state),
    subject: { name, id: after.id },
    before: before?.state,
    after: after.state,
  });
}

/** The act for the most important of several changes. */
function actOf(before: RecordedState | undefined, after: RecordedState): ActType {
  if (!before) return "environment.created";
  if (before.archived !== after.archived) {
    return after.archived ? "environment.archived" : "environment.unarchived";
  }
  if (before.name !== after.name) return "environment.renamed";
  const samePolicies = before.policies.join() === after.policies.join();
  return samePolicies ? "environment.changed" : "environment.policies_changed";
}

async function findState(db: Database, orgId: string, environmentName: string) {
  const environment = await findEnvironment(db, orgId, environmentName);
  if (!environment) return undefined;
  const { id, name, type, description, require_provenance, archived_at } = environment;
  const state = {
    name,
    type,
    description,
    require_provenance: require_provenance === 1,
    policies: (await policyNamesOf(db, [id])).get(id) ?? [],
    ...(type === "logical" ? { included_environments: await memberNamesOf(db, id) } : {}),
    archived: archived_at !== null,
  };
  return { id, state };
}
