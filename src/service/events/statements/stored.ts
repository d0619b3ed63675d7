import { hash } from "node:crypto";
import { signStatement } from "../../../evidence/provenance/statements/dsse.ts";
import type { Statement } from "../../../evidence/provenance/statements/statement.ts";
import type { ActContext } from "../../kernel/caller.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { listed } from "../../store/dialect.ts";
import { newIdOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { canonicalJson } from "../digest.ts";
import { record } from "../record.ts";
import { statementKeyOf } from "./keys.ts";

export interface NewStatement {
  /** The caller's question, by IDs. */
  readonly question: readonly (string | null)[];
  /** Everything that the statement depends on, besides its own text. */
  readonly basis: unknown;
  readonly statement: (time: number) => Statement;
  readonly fingerprint: string | null;
  readonly trailId: string | null;
}

/**
 * Signs a statement and stores it. If the latest answer to its question has the same basis and key, that one is served,
 * so that repeated questions have one statement.
 *
 * @returns the envelope as JSON
 * @throws Conflict when the service has no key that could protect the signing key
 */
export async function signed(
  { question: asked, basis: dependsOn, statement, fingerprint, trailId }: NewStatement,
  by: ActContext,
  context: ServiceContext,
): Promise<string> {
  const key = await statementKeyOf(context, by.orgId);
  const question = sha256(canonicalJson(asked));
  const basis = sha256(canonicalJson([dependsOn, statement(0)]));
  const isKnown = (latest: Latest | undefined) => latest?.basis === basis && latest.key_id === key.keyId;
  const known = await latestOf(context.store.read, by.orgId, question);
  if (known && isKnown(known)) return known.envelope;
  const made = statement(by.now);
  const payload = JSON.stringify(made);
  const row: Tables["statements"] = {
    id: newIdOf(by.now),
    org_id: by.orgId,
    trail_id: trailId,
    key_id: key.keyId,
    predicate_type: made.predicateType,
    artifact_fingerprint: fingerprint,
    question,
    basis,
    digest: sha256(payload),
    envelope: signStatement(payload, key),
    created_at: by.now,
  };
  return context.store.write(async (db) => {
    // Another caller may have asked at the same time.
    const latest = await latestOf(db, by.orgId, question);
    if (latest && isKnown(latest)) return latest.envelope;
    await db.insertInto("statements").values(row).execute();
    const { id, key_id, predicate_type, artifact_fingerprint, digest } = row;
    await record(db, by, {
      type: "statement.signed",
      subject: { id, name: made.subject[0]?.name ?? "" },
      trailId,
      data: { predicate_type, artifact_fingerprint, digest, key_id },
    });
    return row.envelope;
  });
}

type Latest = Pick<Tables["statements"], "basis" | "key_id" | "envelope">;

function latestOf(db: Database, orgId: string, question: string): Promise<Latest | undefined> {
  return db
    .selectFrom("statements")
    .select(["basis", "key_id", "envelope"])
    .where("org_id", "=", orgId)
    .where("question", "=", question)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** Statements about trails or their artifacts, oldest first. */
export function statementsOfTrails(db: Database, trailIds: readonly string[]) {
  return db
    .selectFrom("statements")
    .select(["id", "key_id", "envelope"])
    .where("trail_id", "in", listed(trailIds))
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

function sha256(text: string): string {
  return hash("sha256", text);
}
