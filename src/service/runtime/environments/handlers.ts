import type {
  archiveEnvironment,
  attachPolicies,
  createEnvironment,
  detachPolicies,
  getEnvironment,
  joinEnvironment,
  listEnvironments,
  renameEnvironment,
  updateEnvironment,
} from "../../../api/resources/environments.ts";
import { changeAudited } from "../../environments/audited.ts";
import { environmentView } from "../../environments/view.ts";
import { withPatterns } from "../../judging/patterns/with-patterns.ts";
import { isAllowed } from "../../kernel/access.ts";
import type { Caller } from "../../kernel/caller.ts";
import { pageFields, sliceOf } from "../../kernel/paging.ts";
import { namesIn } from "../../kernel/scope.ts";
import { renameInActions } from "../../notifications/renamed.ts";
import type { Handler } from "../../operation/handler.ts";
import { requestContextOf } from "../../operation/request-context.ts";
import { judgeAgain } from "../snapshots/take-snapshot.ts";
import { attachPolicies as attach, detachPolicies as detach } from "./attached-policies.ts";
import { environmentRecords, listEnvironments as findEnvironments } from "./list.ts";
import {
  archiveEnvironment as archive,
  changeEnvironment,
  joinEnvironment as join,
  putEnvironment,
  renameEnvironment as rename,
  requireEnvironment,
  touchEnvironment,
} from "./records.ts";

const OK = { status: 200, body: "OK" } as const;
const DEFAULT_PER_PAGE = 15;

/** A caller that reports to an environment, or is limited to it, does not decide what it requires. */
function mayManage({ role, scope }: Pick<Caller, "role" | "scope">): boolean {
  return isAllowed(role, "write") && scope === null;
}

export const handleCreateEnvironment: Handler<typeof createEnvironment> = async (call, context) => {
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
  await withPatterns({ patterns: context.patterns, orgId: org.id }, (patterns) =>
    context.store.write((db) => {
      const requestContext = requestContextOf(call, context);
      const judging = { patterns, context, now: requestContext.now };
      return changeAudited(db, requestContext, body, () => putEnvironment(db, org, fields, judging));
    }),
  );
  // Of an update too: clients of this interface know no other answer.
  return { status: 201, body: "OK" };
};

export const handleListEnvironments: Handler<typeof listEnvironments> = async (
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
  // Organizations here are not divided into spaces: no environment is in any.
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

export const handleGetEnvironment: Handler<typeof getEnvironment> = async ({ org, params }, { store }) =>
  store.readTogether(async (db) => {
    const row = await requireEnvironment(db, org, params.envName);
    const [record] = await environmentRecords(db, [row]);
    if (!record) throw new Error(`Environment '${row.name}' vanished while it was read`);
    return { status: 200, body: environmentView(record, org.name) };
  });

export const handleUpdateEnvironment: Handler<typeof updateEnvironment> = async (call, context) => {
  const { org, params, caller } = call;
  const name = params.envName;
  const changes = { ...call.body, mayManage: mayManage(caller) };
  await withPatterns({ patterns: context.patterns, orgId: org.id }, (patterns) =>
    context.store.write((db) => {
      const requestContext = requestContextOf(call, context);
      const judging = { patterns, context, now: requestContext.now };
      return changeAudited(db, requestContext, { name }, () =>
        changeEnvironment(db, org, name, changes, judging),
      );
    }),
  );
  return OK;
};

export const handleRenameEnvironment: Handler<typeof renameEnvironment> = async (call, context) => {
  const names = { name: call.params.envName, newName: call.body.newName };
  const renaming = { type: "env", from: names.name, to: names.newName } as const;
  await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    await changeAudited(db, requestContext, names, () => rename(db, call.org, names, requestContext.now));
    await renameInActions(db, requestContext, renaming);
  });
  return OK;
};

export const handleArchiveEnvironment: Handler<typeof archiveEnvironment> = async (call, context) => {
  const name = call.params.envName;
  await context.store.write((db) => {
    const requestContext = requestContextOf(call, context);
    return changeAudited(db, requestContext, { name }, () => archive(db, call.org, name, requestContext.now));
  });
  return OK;
};

export const handleJoinEnvironment: Handler<typeof joinEnvironment> = async (call, context) => {
  const names = { name: call.params.envName, physical: call.body.physicalEnvName };
  await context.store.write((db) => {
    const requestContext = requestContextOf(call, context);
    const joining = { context, now: requestContext.now };
    return changeAudited(db, requestContext, names, () => join(db, call.org, names, joining));
  });
  return OK;
};

/** Attaches or detaches, then judges again what runs. */
function changePolicies(
  change: typeof attach,
): Handler<typeof attachPolicies> & Handler<typeof detachPolicies> {
  return async (call, context) => {
    const { org, params, body } = call;
    const name = params.envName;
    await withPatterns({ patterns: context.patterns, orgId: org.id }, (patterns) =>
      context.store.write((db) => {
        const requestContext = requestContextOf(call, context);
        const { now } = requestContext;
        return changeAudited(db, requestContext, { name }, async () => {
          const environment = await requireEnvironment(db, org, name);
          await change(db, org, environment, body.policyNames);
          await touchEnvironment(db, environment.id, now);
          await judgeAgain(db, { org, environmentId: environment.id, patterns, context, now });
        });
      }),
    );
    return OK;
  };
}

export const handleAttachPolicies = changePolicies(attach);
export const handleDetachPolicies = changePolicies(detach);
