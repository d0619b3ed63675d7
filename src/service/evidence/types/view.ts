import type { CustomAttestationType } from "../../../api/resources/custom-attestation-types.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import { evaluatorOf, type StoredType } from "./records.ts";

export function typeView(type: StoredType, org: string): CustomAttestationType {
  const { description, created_by, created_at, last_modified_at } = type.row;
  return {
    ...versionView(type, org),
    ...(description !== null && { description }),
    createdBy: created_by,
    createdAt: created_at,
    lastModifiedAt: last_modified_at,
  };
}

export function versionView({ row, versions }: StoredType, org: string): CustomAttestationType {
  return {
    name: row.name,
    archived: row.archived_at !== null,
    org,
    versions: versions.map((version) => ({
      version: version.version,
      timestamp: version.created_at,
      typeSchema: version.type_schema === null ? null : fieldsOf(version.type_schema),
      evaluator: evaluatorOf(version),
      summary: version.summary === null ? [] : JSON.parse(version.summary),
      createdBy: version.created_by,
    })),
  };
}
