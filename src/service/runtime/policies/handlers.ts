import type {
  getPolicy,
  getPolicySchema,
  listPolicies as listPoliciesOperation,
  Policy,
  putPolicy,
} from "../../../api/resources/policies.ts";
import { recordChange } from "../../audit-log/record-act.ts";
import { NOTHING } from "../../events/changes.ts";
import { controlIdsOf, unknownControlText } from "../../evidence/controls/records.ts";
import { controlsOf } from "../../judging/policies/policy-file.ts";
import { policyFileJsonSchema } from "../../judging/policies/policy-file-schema.ts";
import { invalidInput } from "../../kernel/errors.ts";
import type { Organization } from "../../kernel/organization.ts";
import type { Handler } from "../../operation/handler.ts";
import { requestContextOf } from "../../operation/request-context.ts";
import { readPolicy, type UploadedPolicy } from "../../policies/upload.ts";
import type { Database } from "../../store/tables.ts";
import { findPolicy, listPolicies } from "./list.ts";
import { type PolicyRow, putPolicy as storePolicy, type WrittenPolicy } from "./records.ts";
import { unknownPolicy } from "./versions.ts";

export const handlePutPolicy: Handler<typeof putPolicy> = async (call, context) => {
  const { org, body, files } = call;
  const uploaded = await readPolicy(files.policyFile, { patterns: context.patterns, orgId: org.id });
  return context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const written = uploaded && (await withControls(db, org, uploaded));
    const { before, after } = await storePolicy(db, body, written, requestContext);
    await recordChange(db, requestContext, {
      act: before ? "policy.changed" : "policy.created",
      resource: after,
      details: { comment: body.comment },
      before: before ? auditedState(before) : NOTHING,
      after: auditedState(after),
    });
    return { status: before ? 200 : 201, body: await requirePolicy(db, org, body.name) };
  });
};

/** The file of a version is kept with the policy: its number leads there. */
function auditedState({ version, description }: PolicyRow) {
  return { version, description };
}

export const handleListPolicies: Handler<typeof listPoliciesOperation> = async ({ org }, { store }) => ({
  status: 200,
  body: await store.readTogether((db) => listPolicies(db, org.id)),
});

export const handleGetPolicy: Handler<typeof getPolicy> = async ({ org, params }, { store }) => ({
  status: 200,
  body: await store.readTogether((db) => requirePolicy(db, org, params.policyName)),
});

export const handleGetPolicySchema: Handler<typeof getPolicySchema> = async (_, { links }) => ({
  status: 200,
  body: policyFileJsonSchema(links.api(["schemas", "environment-policy", "v1"])),
});

async function requirePolicy(db: Database, org: Organization, name: string): Promise<Policy> {
  const policy = await findPolicy(db, org.id, name);
  if (!policy) throw unknownPolicy(org, name);
  return policy;
}

/** A policy may ask for decisions about controls that exist. */
async function withControls(
  db: Database,
  org: Organization,
  { source, definition }: UploadedPolicy,
): Promise<WrittenPolicy> {
  const ids = await controlIdsOf(db, org.id, controlsOf(definition));
  const unknown = definition.artifacts.attestations.flatMap(({ forControl }, i) =>
    forControl == null || ids.has(forControl)
      ? []
      : [[`policy_file.artifacts.attestations[${i}].for_control`, unknownControlText(org, forControl)]],
  );
  if (unknown.length > 0) throw invalidInput(Object.fromEntries(unknown));
  return { source, definition, controlIds: [...ids.values()] };
}
