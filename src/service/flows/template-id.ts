import { contentId } from "../store/ids.ts";
import type { Tables } from "../store/tables.ts";

/** The id of the template that a trail began with. Trails of a flow that began with the same one share it. */
export function templateId(
  trail: Pick<Tables["trails"], "flow_id" | "template" | "template_source">,
): string {
  return contentId([trail.flow_id, trail.template, trail.template_source]);
}
