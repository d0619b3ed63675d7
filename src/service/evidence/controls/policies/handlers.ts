import { recordChange } from "../../../events/record.ts";
import { type Handler, requestContextOf } from "../../../operation/handler.ts";
import { requireCompiled, requireFiles } from "./files.ts";
import { archive, listPolicies, type PolicyVersion, publish, requirePolicy } from "./records.ts";
import { policyView, singleView } from "./view.ts";

export const publishDecisionPolicy: Handler<"publishDecisionPolicy"> = async (call, context) => {
  const { org, params, body } = call;
  const { policyEngine: engine } = context;
  requireFiles(body.files, "files");
  if (engine !== undefined) await requireCompiled(body.files, "files", { engine, orgId: org.id });
  return context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const content = { identifier: params.identifier, ...body };
    const { before, after } = await publish(db, org, content, requestContext);
    await recordChange(db, requestContext, {
      type: before ? "decision_policy.changed" : "decision_policy.created",
      subject: subjectOf(after),
      before: before && auditedState(before),
      after: auditedState(after),
    });
    return { status: before ? 200 : 201, body: await singleView(db, org, after) };
  });
};

export const listDecisionPolicies: Handler<"listDecisionPolicies"> = async ({ org, params }, { store }) => ({
  status: 200,
  body: (await listPolicies(store.read, org.id, params)).map(policyView),
});

export const getDecisionPolicy: Handler<"getDecisionPolicy"> = async ({ org, params }, { store }) =>
  store.readTogether(async (db) => {
    const { identifier, version } = params;
    return {
      status: 200,
      body: await singleView(db, org, await requirePolicy(db, org, identifier, version)),
    };
  });

export const archiveDecisionPolicy: Handler<"archiveDecisionPolicy"> = async (call, context) => {
  const { org, params } = call;
  return context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const before = await requirePolicy(db, org, params.identifier);
    const after = { ...before, archived: true };
    const isChanged = await recordChange(db, requestContext, {
      type: "decision_policy.archived",
      subject: subjectOf(after),
      before: auditedState(before),
      after: auditedState(after),
    });
    if (isChanged) await archive(db, before, requestContext);
    return { status: 200, body: await singleView(db, org, after) };
  });
};

function subjectOf({ id, identifier }: PolicyVersion) {
  return { id, name: identifier };
}

function auditedState({
  version,
  description,
  digest,
  warnOnly,
  effectiveFrom,
  archived,
}: PolicyVersion): Record<string, unknown> {
  return {
    version,
    description,
    digest,
    warn_only: warnOnly,
    effective_from: effectiveFrom,
    archived,
  };
}
