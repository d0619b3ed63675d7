import { readFile } from "node:fs/promises";
import { record, recordChange } from "../../events/record.ts";
import type { ActType } from "../../events/types/event-types.ts";
import { below } from "../../judging/type-rules/problems.ts";
import { invalidInput } from "../../kernel/errors.ts";
import { jsonColumn } from "../../kernel/json-column.ts";
import { decodeUtf8, parseJson } from "../../kernel/json-text.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { type Call, type Handler, requestContextOf } from "../../operation/handler.ts";
import type { ReceivedFile } from "../../store/blobs/attachments.ts";
import {
  addTypeVersion,
  archiveType,
  type Evaluator,
  findTypeVersions,
  listTypes,
  requireType,
  type TypeRow,
} from "./records.ts";
import { typeView, versionView } from "./view.ts";

const SCHEMA_PART = "type_schema";

export const createCustomAttestationType: Handler<"createCustomAttestationType"> = async (call, context) => {
  const { name, description = null, summary } = call.body;
  const evaluator = evaluatorFrom(call.body);
  const schema = await readSchema(call.files.typeSchema);
  await refuseUnusable(call.org.id, { schema, evaluator, summary: summary ?? [] }, context);
  const version = { name, description, schema, evaluator, summary: jsonColumn(summary) };
  const requestContext = requestContextOf(call, context);
  await context.store.write(async (db) => {
    const { before, after } = await addTypeVersion(db, version, requestContext);
    await recordChange(db, requestContext, {
      type: actOf(before),
      subject: after,
      before: before && auditedState(before),
      after: auditedState(after),
    });
  });
  return { status: 201, body: "OK" };
};

function actOf(before: TypeRow | undefined): ActType {
  if (!before) return "custom_attestation_type.created";
  return before.archived_at === null
    ? "custom_attestation_type.changed"
    : "custom_attestation_type.unarchived";
}

/** The version number refers to the content kept with the type. */
function auditedState({ last_version, description, archived_at }: TypeRow) {
  return { version: last_version, description, archived: archived_at !== null };
}

function evaluatorFrom({ evaluator }: Call<"createCustomAttestationType">["body"]): Evaluator {
  return evaluator?.contentType === "jq"
    ? { contentType: "jq", rules: evaluator.rules }
    : { contentType: "default" };
}

async function readSchema(file: ReceivedFile | undefined): Promise<string | null> {
  if (!file) return null;
  const text = decodeUtf8(await readFile(file.path), SCHEMA_PART);
  const schema = parseJson(text, SCHEMA_PART);
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) {
    throw invalidInput({ [SCHEMA_PART]: "Input should be a valid dictionary" });
  }
  return text;
}

interface UploadedType {
  schema: string | null;
  evaluator: Evaluator;
  summary: readonly { expression: string }[];
}

/** @throws Invalid with the location of each problem */
async function refuseUnusable(
  orgId: string,
  { schema, evaluator, summary }: UploadedType,
  { typeEvaluator }: ServiceContext,
): Promise<void> {
  const expressions = [
    ...(evaluator.contentType === "jq" ? evaluator.rules : []).map((rule, index) => ({
      field: `evaluator.rules[${index}]`,
      expression: rule,
    })),
    ...summary.map(({ expression }, index) => ({ field: `summary[${index}].expression`, expression })),
  ];
  if (schema === null && expressions.length === 0) return;
  const rules = expressions.map(({ expression }) => expression);
  const problems = await typeEvaluator.check(orgId, { schema, rules });
  const errors = below(SCHEMA_PART, problems.schema);
  for (const [index, { field }] of expressions.entries()) {
    const text = problems.rules[index];
    if (text !== undefined) errors[field] = `Input should be a valid jq expression: ${text}`;
  }
  if (Object.keys(errors).length > 0) throw invalidInput(errors, { code: "attestation_type.invalid" });
}

export const listCustomAttestationTypes: Handler<"listCustomAttestationTypes"> = async (
  { org },
  { store },
) => {
  const types = await store.readTogether((db) => listTypes(db, org.id));
  return { status: 200, body: types.map((type) => typeView(type, org.name)) };
};

export const getCustomAttestationType: Handler<"getCustomAttestationType"> = async (
  { org, params },
  { store },
) => {
  const { customAttestationTypeName: name, version } = params;
  const type = await store.readTogether((db) => findTypeVersions(db, org, { name, version }));
  return {
    status: 200,
    body: version === undefined ? typeView(type, org.name) : versionView(type, org.name),
  };
};

export const archiveCustomAttestationType: Handler<"archiveCustomAttestationType"> = async (
  call,
  context,
) => {
  await context.store.write(async (db) => {
    const requestContext = requestContextOf(call, context);
    const type = await requireType(db, call.org, call.params.customAttestationTypeName);
    if (type.archived_at !== null) return;
    await archiveType(db, type.id, requestContext.now);
    await record(db, requestContext, { type: "custom_attestation_type.archived", subject: type, data: {} });
  });
  return { status: 200, body: "OK" };
};
