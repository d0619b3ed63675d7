import type { Environment } from "../../api/resources/environments.ts";
import type { EnvironmentRecord } from "../runtime/environments/list.ts";

/** An environment as the interface shows it. */
export function environmentView(
  { row, state, lastReportedAt, lastChangedAt, tags, policies, members }: EnvironmentRecord,
  org: string,
): Environment {
  return {
    org,
    name: row.name,
    type: row.type,
    description: row.description,
    lastModifiedAt: row.last_modified_at,
    lastReportedAt,
    lastChangedAt,
    state,
    // The interface has retired it: clients may still send it.
    includeScaling: false,
    tags,
    policies: [...policies],
    includedEnvironments: row.type === "logical" ? [...members] : null,
  };
}
