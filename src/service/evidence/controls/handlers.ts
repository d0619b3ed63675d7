import type { Control } from "../../../api/resources/controls.ts";
import { recordChange } from "../../events/record.ts";
import type { ActType } from "../../events/types/event-types.ts";
import type { ActContext, Organization } from "../../kernel/caller.ts";
import { invalidInput, NotFound } from "../../kernel/errors.ts";
import { pageFields, sliceOf, withinRange } from "../../kernel/paging.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { type Handler, requestContextOf, type Sender } from "../../operation/handler.ts";
import { once, type RequestIdentity, requestHash } from "../../operation/idempotency.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { distinctTags, tagsOf } from "../tag-records.ts";
import { findPolicy, unknownPolicyText } from "./policies/records.ts";
import {
  addControl,
  type ControlFields,
  type ControlRow,
  editControl,
  listControls as findControls,
  policiesReferencing,
  requireControl,
  setArchived,
  versionOfControl,
  versionsOfControl,
} from "./records.ts";
import { controlVersionView, controlView } from "./view.ts";

export const createControl: Handler<"createControl"> = async (call, context) => {
  const { org, body } = call;
  const { identifier, name, description, links } = body;
  const fields = {
    name,
    description: description ?? "",
    links: JSON.stringify(links ?? {}),
    decision_policy: body.decisionPolicy ?? null,
  };
  const requestContext = requestContextOf(call, context);
  return context.store.write(async (db) => {
    const created = async (control: ControlRow) =>
      ({ status: 201, body: await singleView(db, control) }) as const;
    const record = async () => {
      await requireBindable(db, org, fields.decision_policy);
      const control = await addControl(db, org, { identifier, ...fields }, requestContext);
      await recordVersion(db, requestContext, "control.created", { after: control });
      return created(control);
    };
    const repeat = async () => created(await requireControl(db, org, identifier));
    const identity = retryIdentity(call.identity);
    if (!identity) return record();
    return once(db, { identity, now: requestContext.now, record, repeat });
  });
};

/** Creates a control. Only `Idempotency-Key` identifies a retry, so an equal request with another key is a duplicate. */
function retryIdentity({ hash, ...identity }: RequestIdentity): RequestIdentity | undefined {
  const { idempotencyKey } = identity;
  if (idempotencyKey === undefined) return undefined;
  return { ...identity, hash: () => requestHash([hash(), idempotencyKey]) };
}

export const updateControl: Handler<"updateControl"> = async (call, context) => {
  const { org, params, body } = call;
  const fields: Partial<ControlFields> = {
    ...(body.name == null ? {} : { name: body.name }),
    ...(body.description == null ? {} : { description: body.description }),
    ...(body.links == null ? {} : { links: JSON.stringify(body.links) }),
    ...(body.decisionPolicy === undefined ? {} : { decision_policy: body.decisionPolicy }),
  };
  return context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const before = await requireControl(db, org, params.identifier);
    if (body.decisionPolicy !== before.decision_policy) await requireBindable(db, org, body.decisionPolicy);
    const after = await editControl(db, before, fields, requestContext);
    await recordVersion(db, requestContext, "control.changed", { before, after });
    return { status: 200, body: await singleView(db, after) };
  });
};

/** @throws Invalid for a decision policy that does not exist or is archived */
async function requireBindable(
  db: Database,
  org: Organization,
  identifier: string | null | undefined,
): Promise<void> {
  if (identifier == null) return;
  const found = await findPolicy(db, org.id, identifier);
  if (found && !found.archived) return;
  const problem = found
    ? `Decision policy '${identifier}' is archived: publish it again to restore it`
    : unknownPolicyText(org, { identifier });
  throw invalidInput({ decision_policy: problem }, { code: "decision_policy.not_found" });
}

export const getControl: Handler<"getControl"> = async ({ org, params }, { store }) =>
  store.readTogether(async (db) => ({
    status: 200,
    body: await singleView(db, await requireControl(db, org, params.identifier)),
  }));

export const listControls: Handler<"listControls"> = async ({ org, params }, { store, links }) =>
  store.readTogether(async (db) => {
    const { page, perPage, sortDirection, ...filter } = params;
    const { total, controls } = await findControls(db, org.id, filter, { ...sliceOf(params), sortDirection });
    const tags = await tagsOf(db, "control", idsOf(controls));
    const { search, tag, archived } = filter;
    const query = { sort_direction: sortDirection, search, tag, archived };
    return {
      status: 200,
      body: {
        ...pageFields({ total, page, perPage }, (paging) =>
          links.api(["controls", org.name], { ...query, ...paging }),
        ),
        controls: controls.map((control) => controlView(control, tags.get(control.id) ?? {})),
      },
    };
  });

export const archiveControl: Handler<"archiveControl"> = (call, context) =>
  changeArchived(call, context, true);

export const unarchiveControl: Handler<"unarchiveControl"> = (call, context) =>
  changeArchived(call, context, false);

async function changeArchived(
  call: Sender & { params: { identifier: string } },
  context: ServiceContext,
  archived: boolean,
) {
  return context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const before = await requireControl(db, call.org, call.params.identifier);
    const after = await setArchived(db, before, archived, requestContext);
    const type = archived ? "control.archived" : "control.unarchived";
    await recordVersion(db, requestContext, type, { before, after });
    return { status: 200, body: await singleView(db, after) } as const;
  });
}

export const listControlTags: Handler<"listControlTags"> = async ({ org }, { store }) => ({
  status: 200,
  body: await distinctTags(store.read, org.id, "control"),
});

const VERSIONS_PER_PAGE = 15;

export const listControlVersions: Handler<"listControlVersions"> = async (
  { org, params },
  { store, links },
) =>
  store.readTogether(async (db) => {
    const { id, identifier, version: last } = await requireControl(db, org, params.identifier);
    const { page = 1, perPage = VERSIONS_PER_PAGE, sortDirection = "desc" } = params;
    if (params.page === undefined && params.perPage === undefined && params.sortDirection === undefined) {
      const all = await versionsOfControl(db, id);
      return { status: 200, body: all.map((version) => controlVersionView(identifier, version)) };
    }
    const newestFirst = sortDirection === "desc";
    // Versions have no gaps, so their number is also their count.
    const range = withinRange({ first: 1, last }, sliceOf({ page, perPage }), { newestFirst });
    const found = (await versionsOfControl(db, id, range)).map((row) => controlVersionView(identifier, row));
    return {
      status: 200,
      body: {
        ...pageFields({ total: last, page, perPage }, (paging) =>
          links.api(["controls", org.name, identifier, "versions"], {
            sort_direction: sortDirection,
            ...paging,
          }),
        ),
        versions: newestFirst ? found : found.reverse(),
      },
    };
  });

export const getControlVersion: Handler<"getControlVersion"> = async ({ org, params }, { store }) =>
  store.readTogether(async (db) => {
    const { id, identifier } = await requireControl(db, org, params.identifier);
    const version = await versionOfControl(db, id, params.versionNumber);
    if (!version)
      throw new NotFound(
        "control.not_found",
        `version ${params.versionNumber} does not exist for control '${identifier}'`,
      );
    return { status: 200, body: controlVersionView(identifier, version) };
  });

async function recordVersion(
  db: Database,
  by: ActContext,
  type: ActType,
  { before, after }: { before?: ControlRow; after: ControlRow },
): Promise<void> {
  const subject = { id: after.id, name: after.identifier };
  await recordChange(db, by, {
    type,
    subject,
    before: before && auditedState(before),
    after: auditedState(after),
  });
}

function auditedState({ version, name, description, links, decision_policy, archived_at }: ControlRow) {
  const archived = archived_at !== null;
  return { version, name, description, links: JSON.parse(links), decision_policy, archived };
}

async function singleView(db: Database, control: ControlRow): Promise<Control> {
  const tags = await tagsOf(db, "control", [control.id]);
  return {
    ...controlView(control, tags.get(control.id) ?? {}),
    archived: control.archived_at !== null,
    policiesReferencing: await policiesReferencing(db, control.id),
  };
}
