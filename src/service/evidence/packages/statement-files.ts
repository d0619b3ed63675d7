import { publishedKeys } from "../../events/statements/published-keys.ts";
import { statementsOfTrails } from "../../events/statements/stored.ts";
import type { Database } from "../../store/tables.ts";
import type { TextFile } from "./package.ts";

/** The signed statements of trails, and the keys of their organization. Empty without statements. */
export async function statementFiles(
  db: Database,
  orgId: string,
  trailIds: readonly string[],
): Promise<TextFile[]> {
  const statements = await statementsOfTrails(db, trailIds);
  if (statements.length === 0) return [];
  return [
    { name: "statements/evidence-keys.json", text: await publishedKeys(db, orgId) },
    ...statements.map(({ id, envelope }) => ({ name: `statements/${id}.intoto.json`, text: envelope })),
  ];
}
