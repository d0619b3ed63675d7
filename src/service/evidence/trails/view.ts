import type * as z from "zod/mini";
import type { AnswerOf } from "../../../api/operation.ts";
import type { artifactStatus, trailStatus } from "../../../api/resources/trail-record.ts";
import type { getTrail } from "../../../api/resources/trails.ts";
import type { Camel } from "../../../api/wire-names.ts";
import type { ArtifactStatus, TrailStatus } from "../../judging/compliance/evaluate.ts";
import type { Template } from "../../judging/compliance/template.ts";
import { parseExactJson } from "../../kernel/exact-json.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import type { Links } from "../../kernel/links.ts";
import type { OriginState } from "../../store/account-tables.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database } from "../../store/tables.ts";
import { trailStatuses } from "../compliance/facts.ts";
import { templateId } from "../flows/records.ts";
import { originStatesOf, originsOf, withOrigin } from "../origins/origins.ts";
import { tagsOf } from "../tag-records.ts";
import { repoIdsOf, type TrailRow } from "./list.ts";

export type TrailView = AnswerOf<typeof getTrail>;

export interface Viewing {
  org: string;
  links: Links;
}

/** Without events. Uses a fixed number of queries for a page. */
export async function trailViews(
  db: Database,
  rows: readonly TrailRow[],
  { org, links }: Viewing,
): Promise<TrailView[]> {
  const ids = idsOf(rows);
  const trails = withTemplates(rows);
  const statuses = await trailStatuses(db, trails);
  const repoIds = await repoIdsOf(db, ids);
  const origins = await originsOf(db, "trail", ids);
  const attestations = [...statuses.values()].flatMap(attestationIdsIn);
  const originStates = await originStatesOf(db, "attestation", attestations);
  const flowIds = [...new Set(trails.map(({ flow_id }) => flow_id))];
  const tags = await tagsOf(db, "flow", flowIds);
  return trails.map((trail) => {
    const status = statuses.get(trail.id);
    if (!status) throw new Error(`Trail '${trail.id}' was not evaluated`);
    return {
      id: trail.id,
      name: trail.name,
      description: trail.description,
      git_commit_info: trail.git_commit_info === null ? null : fieldsOf(trail.git_commit_info),
      originUrl: trail.origin_url,
      userData: parseExactJson(trail.user_data),
      repoIds: [...(repoIds.get(trail.id) ?? [])],
      lastModifiedAt: trail.last_modified_at,
      createdAt: trail.created_at,
      complianceStatus: trailStatusView(
        status,
        { evaluatedAt: trail.last_modified_at, flowTemplateId: trail.templateId },
        originStates,
      ),
      template: templateView(trail),
      complianceState: trail.compliance_state,
      isCompliant: trail.compliance_state === "COMPLIANT",
      createdBy: trail.created_by,
      ...withOrigin(origins.get(trail.id)),
      flow: { name: trail.flow_name, tags: { ...tags.get(trail.flow_id) } },
      external_urls: trail.external_urls === null ? null : fieldsOf(trail.external_urls),
      htmlUrl: links.trail(org, trail.flow_name, trail.name),
    };
  });
}

/** Reads each template once, which most trails of a flow share. */
function withTemplates(trails: readonly TrailRow[]) {
  const known = new Map<string, { template: Template; templateId: string }>();
  return trails.map((trail) => {
    // No stored text has a NUL.
    const key = [trail.flow_id, trail.template, trail.template_source ?? "\0"].join("\0");
    const read = known.get(key) ?? { template: JSON.parse(trail.template), templateId: templateId(trail) };
    known.set(key, read);
    return { ...trail, ...read };
  });
}

function templateView({ template, template_source }: ReturnType<typeof withTemplates>[number]) {
  const { attestations, artifacts } = template;
  return { version: 1, trail: { attestations, artifacts }, content: template_source };
}

interface Evaluation {
  /** Unix seconds. */
  evaluatedAt: number;
  flowTemplateId: string;
}

type OriginStates = ReadonlyMap<string, OriginState>;

function trailStatusView(
  status: TrailStatus,
  evaluation: Evaluation,
  origins: OriginStates,
): Camel<z.infer<typeof trailStatus>> {
  return {
    ...status,
    attestationsStatuses: attestationStatusViews(status, origins),
    artifactsStatuses: Object.fromEntries(
      Object.entries(status.artifactsStatuses).map(([name, artifact]) => [
        name,
        artifactStatusView(artifact, evaluation, origins),
      ]),
    ),
    ...evaluation,
  };
}

function artifactStatusView(
  status: ArtifactStatus,
  evaluation: Evaluation,
  origins: OriginStates,
): Camel<z.infer<typeof artifactStatus>> {
  return {
    ...status,
    attestationsStatuses: attestationStatusViews(status, origins),
    ...evaluation,
  };
}

function attestationStatusViews(
  { attestationsStatuses }: Pick<ArtifactStatus, "attestationsStatuses">,
  origins: OriginStates,
) {
  return attestationsStatuses.map((attestation) => {
    const originState = origins.get(attestation.attestationId ?? "");
    return { ...attestation, ...(originState === undefined ? {} : { originState }) };
  });
}

function attestationIdsIn({ attestationsStatuses, artifactsStatuses }: TrailStatus): string[] {
  const ofArtifacts = Object.values(artifactsStatuses).flatMap((artifact) => artifact.attestationsStatuses);
  return [...attestationsStatuses, ...ofArtifacts].flatMap(({ attestationId }) => attestationId ?? []);
}
