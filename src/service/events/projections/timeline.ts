import type { Selectable } from "kysely";
import { fieldsOf } from "../../kernel/json-column.ts";
import { OVERRIDE } from "../../store/evidence-tables.ts";
import type { Tables } from "../../store/tables.ts";
import type { EventData, EventType } from "../types/event-types.ts";

/** An event of a trail as it is kept, and as its data is read. */
interface Listed<Data>
  extends Selectable<Pick<Tables["events"], "org_id" | "by" | "subject_id" | "subject_name">> {
  readonly data: Data;
}

type Fields = Readonly<Record<string, unknown>>;

/** A trail's view of each event: its type there and its own fields. */
const timeline = {
  "trail.begun": (event) => [{ type: "trail_reported", ...trailFields(event) }],
  "trail.updated": (event) => {
    const { changes } = event.data;
    return changes.length === 0 ? [] : [{ type: "trail_updated", changes, ...trailFields(event) }];
  },
  "trail.carried_over": ({ data }) => [{ type: data.type, ...fieldsOf(data.details) }],
  "artifact.reported": ({ subject_id, subject_name, data }) => [
    {
      type: "artifact_creation_reported",
      artifact_fingerprint: data.fingerprint,
      artifact_name: subject_name,
      artifact_id: subject_id,
      template_reference_name: data.template_name,
      git_commit: data.commit_sha,
    },
  ],
  "attestation.recorded": (event) => attestationFields(event, event.data.type),
  "attestation.overridden": (event) => attestationFields(event, OVERRIDE),
  "approval.recorded": ({ subject_id, data }) => [
    {
      type: "artifact_approval_reported",
      artifact_fingerprint: data.artifact_fingerprint,
      approval_id: subject_id,
      approval_number: data.number,
      environment_id: data.environment_id,
      state: data.state,
      reviewer: data.reviewer,
    },
  ],
} satisfies { readonly [Type in EventType]?: (event: Listed<EventData<Type>>) => readonly Fields[] };

type TimelineType = keyof typeof timeline;

function attestationFields(
  { subject_id, subject_name, data }: Listed<EventData<"attestation.recorded">>,
  type: string,
): Fields[] {
  const fields = {
    attestation_type: type,
    is_compliant: data.is_compliant,
    attestation_id: subject_id,
    template_reference_name: subject_name,
  };
  const { artifact, targets } = data;
  if (artifact) {
    return [
      {
        type: "artifact_attestation_reported",
        ...fields,
        artifact_fingerprint: artifact.fingerprint,
        artifact_name: artifact.filename,
        target_artifact: artifact.template_name,
      },
    ];
  }
  if (targets.length === 0) return [{ type: "trail_attestation_reported", ...fields }];
  return targets.map((name) => ({
    type: "trail_attestation_for_artifact_reported",
    ...fields,
    target_artifact: name,
  }));
}

function trailFields({ org_id, subject_name, by, data }: Listed<EventData<"trail.begun">>): Fields {
  return {
    setting_user_id: by,
    trail_data_json: {
      org_id,
      flow_id: data.flow_id,
      name: subject_name,
      creating_user_id: data.created_by,
      description: data.description,
      git_commit_info: data.git_commit_info === null ? null : fieldsOf(data.git_commit_info),
      template_id: data.template_id,
      origin_url: data.origin_url,
      user_data: data.user_data,
      repo_ids: data.repo_ids,
    },
  };
}

export type TrailEventRow = Pick<
  Selectable<Tables["events"]>,
  "org_id" | "trail_id" | "type" | "at" | "by" | "subject_id" | "subject_name" | "data"
>;

export interface ShownEvent {
  readonly trailId: string | null;
  readonly timestamp: number;
  readonly repoId: string | null;
  readonly view: Fields;
}

/** Shows an event once, or once for each artifact that it is for. */
export function shownEvents({ type, data: text, ...row }: TrailEventRow): ShownEvent[] {
  if (!isInTimeline(type)) return [];
  const data = JSON.parse(text);
  const { org_id, trail_id: trailId, at: timestamp } = row;
  const { flow_id, git_commit_info: commit = null, repo_id: repoId = null } = data;
  const git_commit_info = commit === null ? null : fieldsOf(commit);
  const common = { org_id, flow_id, trail_id: trailId, timestamp, git_commit_info };
  return timeline[type]({ ...row, data }).map((own) => ({
    ...{ trailId, timestamp, repoId },
    view: { ...common, ...own },
  }));
}

function isInTimeline(type: string): type is TimelineType {
  return Object.hasOwn(timeline, type);
}
