import type { Control, ControlVersion, Decision } from "../../../api/resources/controls.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import type { Links } from "../../kernel/links.ts";
import type { Tables } from "../../store/tables.ts";
import type { Tags } from "../tag-records.ts";
import type { DecisionRow } from "./decision-list.ts";
import type { ControlRow } from "./records.ts";

export function controlView(control: ControlRow, tags: Tags): Control {
  return {
    identifier: control.identifier,
    name: control.name,
    description: control.description,
    links: fieldsOf(control.links),
    decisionPolicy: control.decision_policy,
    version: control.version,
    createdAt: control.created_at,
    createdBy: control.created_by,
    tags,
  };
}

export function controlVersionView(identifier: string, version: Tables["control_versions"]): ControlVersion {
  return {
    identifier,
    version: version.version,
    name: version.name,
    description: version.description,
    links: fieldsOf(version.links),
    decisionPolicy: version.decision_policy,
    createdAt: version.created_at,
    createdBy: version.created_by,
    status: version.status,
  };
}

interface DecisionContext {
  org: string;
  files: readonly string[];
  artifactName: string | undefined;
  links: Links;
}

export function decisionView(
  row: DecisionRow,
  { org, files, artifactName, links }: DecisionContext,
): Decision {
  const { description, origin_url, user_data } = fieldsOf(row.details);
  const { flow_name, trail_name, attestation_id } = row;
  const downloadUrl = links.apiEvidence(org, flow_name, trail_name, attestation_id);
  return {
    decisionId: attestation_id,
    control: row.control,
    isCompliant: row.is_compliant === 1,
    timestamp: row.created_at,
    attestationName: row.attestation_name,
    evidenceFiles: files.map((filename) => ({ filename, downloadUrl })),
    controlVersion: row.control_version,
    flowName: flow_name,
    trailName: trail_name,
    artifactFingerprint: row.artifact_fingerprint,
    artifactName: artifactName ?? null,
    description: typeof description === "string" ? description : null,
    originUrl: typeof origin_url === "string" ? origin_url : null,
    userData: user_data ?? {},
  };
}
