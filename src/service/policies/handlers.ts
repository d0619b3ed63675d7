import type {
  getPolicy,
  getPolicySchema,
  listPolicies as listPoliciesOperation,
  Policy,
  putPolicy,
} from "../../api/policies.ts";
import { controlIdsOf } from "../controls/records.ts";
import { invalidInput } from "../kernel/errors.ts";
import type { Organization } from "../kernel/organization.ts";
import type { Handler } from "../operation/handler.ts";
import { occasionOf } from "../operation/request-context.ts";
import type { Database } from "../store/tables.ts";
import { findPolicy, listPolicies, policyRow } from "./list.ts";
import { controlsOf } from "./policy-file.ts";
import { policyFileJsonSchema } from "./policy-file-schema.ts";
import { createPolicy, updatePolicy, type WrittenPolicy } from "./put.ts";
import { unknownPolicy } from "./versions.ts";
import { readPolicy, type UploadedPolicy } from "./upload.ts";

export const handlePutPolicy: Handler<typeof putPolicy> = async (call, context) => {
  const { org, body, files } = call;
  const uploaded = await readPolicy(files.policyFile, { patterns: context.patterns, orgId: org.id });
  const occasion = occasionOf(call, context);
  return context.store.write(async (db) => {
    const written = uploaded && (await withControls(db, org, uploaded));
    const existing = await policyRow(db, org.id, body.name);
    if (existing) await updatePolicy(db, existing, body, written, occasion);
    else if (written) await createPolicy(db, body, written, occasion);
    else throw invalidInput({ policy_file: "Field required [input: None]" });
    return { status: existing ? 200 : 201, body: await requirePolicy(db, org, body.name) };
  });
};

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

function unknownControlText(org: Organization, identifier: string): string {
  return `Control '${identifier}' does not exist in organization '${org.name}' [input: ${identifier}]`;
}
