import type { DecisionPolicy } from "../../../../api/resources/decision-policies.ts";
import type { Organization } from "../../../kernel/caller.ts";
import type { Database } from "../../../store/tables.ts";
import { controlsBoundTo, filesOf, type PolicyVersion, versionsOf } from "./records.ts";

export function policyView({ id: _, ...version }: PolicyVersion): DecisionPolicy {
  return version;
}

/** The version with its files, all versions and the bound controls. */
export async function singleView(
  db: Database,
  org: Organization,
  shown: PolicyVersion,
): Promise<DecisionPolicy> {
  const versions = await versionsOf(db, org.id, shown);
  return {
    ...policyView(shown),
    files: { ...(await filesOf(db, shown)) },
    versions: versions.map(({ id: _, identifier: __, archived: ___, ...version }) => version),
    controls: await controlsBoundTo(db, org.id, shown.identifier),
  };
}
