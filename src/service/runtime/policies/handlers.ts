import { readFile } from "node:fs/promises";
import type { Policy, PolicyDump } from "../../../api/resources/policies.ts";
import { recordChange } from "../../events/record.ts";
import { knownReferences, unknownPolicyText } from "../../evidence/controls/policies/records.ts";
import { controlIdsOf, unknownControlText } from "../../evidence/controls/records.ts";
import type { PatternMatcher } from "../../judging/patterns/pattern-matcher.ts";
import { parseDecidedBy } from "../../judging/policies/decided-by.ts";
import {
  controlsOf,
  type PolicyFile,
  PolicyFileError,
  parsePolicyFile,
  placed,
} from "../../judging/policies/policy-file.ts";
import { policyFileJsonSchema } from "../../judging/policies/policy-file-schema.ts";
import type { Organization } from "../../kernel/caller.ts";
import { type Invalid, invalidInput } from "../../kernel/errors.ts";
import { decodeUtf8 } from "../../kernel/json-text.ts";
import { type Handler, requestContextOf } from "../../operation/handler.ts";
import type { ReceivedFile } from "../../store/blobs/attachments.ts";
import type { Database } from "../../store/tables.ts";
import { listPolicies as currentPolicies, findPolicy } from "./list.ts";
import { type PolicyRow, putPolicy as storePolicy } from "./records.ts";
import { unknownPolicy } from "./versions.ts";

export const putPolicy: Handler<"putPolicy"> = async (call, context) => {
  const { org, body, files } = call;
  const uploaded = await readPolicy(files.policyFile, { patterns: context.patterns, orgId: org.id });
  return context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const written = uploaded && (await withControls(db, org, uploaded));
    const { before, after } = await storePolicy(db, body, written, requestContext);
    await recordChange(db, requestContext, {
      type: before ? "policy.changed" : "policy.created",
      subject: after,
      details: { comment: body.comment },
      before: before && auditedState(before),
      after: auditedState(after),
    });
    return { status: before ? 200 : 201, body: await requirePolicy(db, org, body.name) };
  });
};

/** The version number refers to the file kept with the policy. */
function auditedState({ version, description }: PolicyRow) {
  return { version, description };
}

export const listPolicies: Handler<"listPolicies"> = async ({ org }, { store }) => ({
  status: 200,
  body: await store.readTogether((db) => currentPolicies(db, org.id)),
});

export const getPolicy: Handler<"getPolicy"> = async ({ org, params }, { store }) => ({
  status: 200,
  body: await store.readTogether((db) => requirePolicy(db, org, params.policyName)),
});

export const getPolicySchema: Handler<"getPolicySchema"> = async (_, { links }) => ({
  status: 200,
  body: policyFileJsonSchema(links.api(["schemas", "environment-policy", "v1"])),
});

async function requirePolicy(db: Database, org: Organization, name: string): Promise<Policy> {
  const policy = await findPolicy(db, org.id, name);
  if (!policy) throw unknownPolicy(org, name);
  return policy;
}

/** @throws Invalid for an unknown control or decision policy */
async function withControls(db: Database, org: Organization, { source, definition }: UploadedPolicy) {
  const rules = definition.artifacts.attestations;
  const ids = await controlIdsOf(db, org.id, controlsOf(definition));
  const required = rules.flatMap(({ decidedBy }) => decidedBy ?? []);
  const policies = await knownReferences(
    db,
    org.id,
    required.map((text) => parseDecidedBy(text).identifier),
  );
  const unknown = rules.flatMap(({ forControl, decidedBy }, i) => {
    const rule = `policy_file.artifacts.attestations[${i}]`;
    const problems: [string, string][] = [];
    if (forControl != null && !ids.has(forControl))
      problems.push([`${rule}.for_control`, unknownControlText(org, forControl)]);
    if (decidedBy !== undefined && !policies.has(decidedBy))
      problems.push([`${rule}.decided_by`, unknownPolicyText(org, parseDecidedBy(decidedBy))]);
    return problems;
  });
  if (unknown.length > 0) throw invalidInput(Object.fromEntries(unknown), { code: "policy.file_invalid" });
  return { source, definition, controlIds: [...ids.values()] };
}

const PART = "policy_file";

interface UploadedPolicy {
  source: string;
  definition: PolicyDump;
}

/** @throws Invalid */
async function readPolicy(
  file: ReceivedFile | undefined,
  { patterns, orgId }: { patterns: PatternMatcher; orgId: string },
): Promise<UploadedPolicy | undefined> {
  if (!file) return undefined;
  const source = decodeUtf8(await readFile(file.path), PART);
  const read = parsed(source);
  const unusable = await patterns.check(
    orgId,
    read.patterns.map(({ pattern }) => pattern),
  );
  const problems = read.patterns.flatMap(({ pattern, field, place }) => {
    const error = unusable.get(pattern);
    return error ? [[field, placed(error.message, place)] as const] : [];
  });
  if (problems.length > 0) throw refused(Object.fromEntries(problems));
  return { source, definition: read.definition };
}

function parsed(source: string): PolicyFile {
  try {
    return parsePolicyFile(source);
  } catch (error) {
    throw error instanceof PolicyFileError ? refused(error.problems) : error;
  }
}

function refused(problems: Readonly<Record<string, string>>): Invalid {
  const named = Object.entries(problems).map(([field, text]) => [
    field === "" ? PART : `${PART}.${field}`,
    text,
  ]);
  return invalidInput(Object.fromEntries(named), { code: "policy.file_invalid" });
}
