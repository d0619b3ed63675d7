import { publishedKeys } from "../../events/statements/published-keys.ts";
import { statementsOfTrail } from "../../events/statements/stored.ts";
import type { Database } from "../../store/tables.ts";
import type { TextFile } from "./package.ts";

/** The signed statements of a trail, and the keys of its organization. Empty without statements. */
export async function statementFiles(db: Database, orgId: string, trailId: string): Promise<TextFile[]> {
  const statements = await statementsOfTrail(db, trailId);
  if (statements.length === 0) return [];
  return [
    { name: "statements/evidence-keys.json", text: await publishedKeys(db, orgId) },
    ...statements.map(({ id, envelope }) => ({ name: `statements/${id}.intoto.json`, text: envelope })),
  ];
}
