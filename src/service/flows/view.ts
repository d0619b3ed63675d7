import type { AnswerOf } from "../../api/operation.ts";
import type { getFlow } from "../../api/resources/flows.ts";
import { visibility } from "../../api/resources/flows.ts";
import { type FlowRow, latestTrailsOf } from "../evidence/flows/list.ts";
import { tagsOf } from "../evidence/tag-records.ts";
import type { Database } from "../store/tables.ts";

type FlowView = AnswerOf<typeof getFlow>;

/** What a flow asks for when nobody has said it: nothing. */
const EMPTY_TEMPLATE_TEXT = "version: 1";

/** Flows as the interface shows them, with a fixed number of queries for each thousand of them. */
export async function flowViews(db: Database, org: string, flows: readonly FlowRow[]): Promise<FlowView[]> {
  const ids = flows.map(({ id }) => id);
  const tags = await tagsOf(db, "flow", ids);
  const latest = await latestTrailsOf(db, ids);
  return flows.map((flow) => {
    const trail = latest.get(flow.id);
    return {
      id: flow.id,
      name: flow.name,
      description: flow.description,
      visibility: visibility.parse(flow.visibility),
      org,
      template: templateAsWritten(flow.template_source),
      repoUrl: flow.repo_url,
      tags: { ...tags.get(flow.id) },
      latestActivityAt: trail?.last_modified_at ?? null,
      latestState: trail?.compliance_state ?? null,
      archived: flow.archived_at !== null,
    };
  });
}

/** The YAML text, or the list of names of a flow that was made with one: no YAML template starts as a list. */
function templateAsWritten(source: string | null): unknown {
  if (source === null) return EMPTY_TEMPLATE_TEXT;
  return source.startsWith("[") ? JSON.parse(source) : source;
}
