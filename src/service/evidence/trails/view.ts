import type { AnswerOf } from "../../../api/operation.ts";
import type { getTrail } from "../../../api/resources/trails.ts";
import { trailStatuses } from "../../compliance-status/trail-statuses.ts";
import { templateId } from "../../flows/template-id.ts";
import type { Template } from "../../judging/compliance/template.ts";
import { parseExactJson } from "../../kernel/exact-json.ts";
import { fieldsOf } from "../../kernel/json-column.ts";
import type { Links } from "../../kernel/links.ts";
import type { Database } from "../../store/tables.ts";
import { attestationIdsIn, trailStatusView } from "../../trails/compliance-view.ts";
import { originStatesOf, originsOf, withOrigin } from "../origins/origins.ts";
import { tagsOf } from "../tag-records.ts";
import { repoIdsOf, type TrailRow } from "./list.ts";

export type TrailView = AnswerOf<typeof getTrail>;

export interface Viewing {
  org: string;
  links: Links;
}

/** Trails as lists show them, without their events, with a fixed number of queries for a page of them. */
export async function trailViews(
  db: Database,
  trails: readonly TrailRow[],
  { org, links }: Viewing,
): Promise<TrailView[]> {
  const ids = trails.map(({ id }) => id);
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
        { evaluatedAt: trail.last_modified_at, flowTemplateId: templateId(trail) },
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

function templateView({ template, template_source }: TrailRow) {
  const { attestations, artifacts }: Template = JSON.parse(template);
  return { version: 1, trail: { attestations, artifacts }, content: template_source };
}
