import type { Control } from "../../../api/resources/controls.ts";
import { recordChange } from "../../events/record.ts";
import { NotFound } from "../../kernel/errors.ts";
import { pageFields, sliceOf } from "../../kernel/paging.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { type Handler, requestContextOf, type Sender } from "../../operation/handler.ts";
import { once, type RequestIdentity, requestHash } from "../../operation/idempotency.ts";
import type { Database } from "../../store/tables.ts";
import { tagsOf } from "../tag-records.ts";
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
  const fields = { name, description: description ?? "", links: JSON.stringify(links ?? {}) };
  const requestContext = requestContextOf(call, context);
  return context.store.write(async (db) => {
    const created = async (control: ControlRow) =>
      ({ status: 201, body: await singleView(db, control) }) as const;
    const record = async () => {
      const control = await addControl(db, org, { identifier, ...fields }, requestContext);
      await recordChange(db, requestContext, {
        type: "control.created",
        subject: resourceOf(control),
        after: auditedState(control),
      });
      return created(control);
    };
    const repeat = async () => created(await requireControl(db, org, identifier));
    const identity = retryIdentity(call.identity);
    if (!identity) return record();
    return once(db, { identity, now: requestContext.now, record, repeat });
  });
};

/** Only `Idempotency-Key` identifies a retry: an equal request with another key is a duplicate. */
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
  };
  return context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const control = await requireControl(db, org, params.identifier);
    const edited = await editControl(db, control, fields, requestContext);
    await recordChange(db, requestContext, {
      type: "control.changed",
      subject: resourceOf(control),
      before: auditedState(control),
      after: auditedState(edited),
    });
    return { status: 200, body: await singleView(db, edited) };
  });
};

export const getControl: Handler<"getControl"> = async ({ org, params }, { store }) =>
  store.readTogether(async (db) => ({
    status: 200,
    body: await singleView(db, await requireControl(db, org, params.identifier)),
  }));

export const listControls: Handler<"listControls"> = async ({ org, params }, { store, links }) =>
  store.readTogether(async (db) => {
    const { page, perPage, sortDirection, ...filter } = params;
    const { total, controls } = await findControls(db, org.id, filter, { ...sliceOf(params), sortDirection });
    const tags = await tagsOf(
      db,
      "control",
      controls.map(({ id }) => id),
    );
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
    const control = await requireControl(db, call.org, call.params.identifier);
    const changed = await setArchived(db, control, archived, requestContext);
    await recordChange(db, requestContext, {
      type: archived ? "control.archived" : "control.unarchived",
      subject: resourceOf(control),
      before: auditedState(control),
      after: auditedState(changed),
    });
    return { status: 200, body: await singleView(db, changed) } as const;
  });
}

export const listControlVersions: Handler<"listControlVersions"> = async ({ org, params }, { store }) =>
  store.readTogether(async (db) => {
    const { id, identifier } = await requireControl(db, org, params.identifier);
    const versions = await versionsOfControl(db, id);
    return { status: 200, body: versions.map((version) => controlVersionView(identifier, version)) };
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

function resourceOf({ id, identifier }: ControlRow) {
  return { id, name: identifier };
}

function auditedState({ version, name, description, links, archived_at }: ControlRow) {
  return { version, name, description, links: JSON.parse(links), archived: archived_at !== null };
}

async function singleView(db: Database, control: ControlRow): Promise<Control> {
  const tags = await tagsOf(db, "control", [control.id]);
  return {
    ...controlView(control, tags.get(control.id) ?? {}),
    archived: control.archived_at !== null,
    policiesReferencing: await policiesReferencing(db, control.id),
  };
}
