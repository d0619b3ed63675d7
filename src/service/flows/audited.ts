import { createHash } from "node:crypto";
import type { Act } from "../../api/resources/audit-log.ts";
import { recordChange } from "../audit-log/record-act.ts";
import { NOTHING } from "../events/changes.ts";
import type { StoredFlow, WrittenFlow } from "../evidence/flows/records.ts";
import type { ActContext } from "../kernel/request-context.ts";
import type { Database } from "../store/tables.ts";

/** Adds to the audit log what was made or changed of a flow. Nothing that was changed leaves no entry. */
export async function recordFlowChange(
  db: Database,
  context: ActContext,
  { before, after }: WrittenFlow,
): Promise<void> {
  await recordChange(db, context, {
    act: actOf({ before, after }),
    resource: after,
    before: before ? stateOf(before) : NOTHING,
    after: stateOf(after),
  });
}

/** What weighs most of what was done at once. */
function actOf({ before, after }: WrittenFlow): Act {
  if (!before) return "flow.created";
  if (before.archived_at !== null) return "flow.unarchived";
  return templateDigest(before) === templateDigest(after) ? "flow.changed" : "flow.template_changed";
}

function stateOf(flow: StoredFlow) {
  const { description, visibility, repo_url, archived_at } = flow;
  return {
    description,
    visibility,
    repo_url,
    template_sha256: templateDigest(flow),
    archived: archived_at !== null,
  };
}

/** The sha256 of a template as its author wrote it, such as `sha256sum` gives it; null when nobody wrote one. */
export function templateDigest({ template_source }: { template_source: string | null }): string | null {
  return template_source === null ? null : createHash("sha256").update(template_source).digest("hex");
}
