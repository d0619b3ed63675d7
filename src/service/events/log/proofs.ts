import type { Selectable } from "kysely";
import { inclusionProof } from "../../../evidence/log/merkle.ts";
import { proofFile, verifierKey } from "../../../evidence/log/note.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { canonicalEvent } from "../digest.ts";
import { findLog, indexesOf, nodesOf } from "./leaves.ts";

export type StoredEvent = Selectable<Tables["events"]>;

export interface SignedLog {
  readonly origin: string;
  /** The signed note. */
  readonly checkpoint: string;
  /** Number of entries in the checkpoint. */
  readonly size: number;
}

/** Undefined before the first checkpoint. */
export async function signedLog(db: Database, orgId: string): Promise<SignedLog | undefined> {
  const { checkpoint = null, origin = "", signed_size: size = 0 } = (await findLog(db, orgId)) ?? {};
  return checkpoint === null ? undefined : { origin, checkpoint, size };
}

/** The keys of a log as a file that verifiers read. */
export async function policyOf(db: Database, orgId: string, origin: string): Promise<string> {
  const keys = await db
    .selectFrom("log_keys")
    .select(["public_key", "retired_at"])
    .where("org_id", "=", orgId)
    .orderBy("created_at")
    .execute();
  const lines = keys.map(({ public_key, retired_at }) => {
    const publicKey = Buffer.from(public_key, "base64");
    const ended = retired_at === null ? "" : `# Retired ${new Date(retired_at * 1000).toISOString()}\n`;
    return `${ended}log ${verifierKey({ name: origin, publicKey })}\n`;
  });
  return `${lines.join("")}quorum none\n`;
}

export interface ProvenEvent {
  readonly index: number;
  /** Canonical JSON, whose sha256 is the entry of the log. */
  readonly event: string;
  /** C2SP's tlog-proof. */
  readonly proof: string;
}

/** Proofs of events against one checkpoint. Events after it are left out. */
export async function proofsOf(
  db: Database,
  orgId: string,
  { checkpoint, size }: SignedLog,
  events: readonly StoredEvent[],
): Promise<ProvenEvent[]> {
  const at = nodesOf(db, orgId);
  const proven: ProvenEvent[] = [];
  for (const { event, index } of await indexesOf(db, orgId, events)) {
    if (index >= size) continue;
    const proof = proofFile(index, await inclusionProof(at, index, size), checkpoint);
    proven.push({ index, event: canonicalEvent(event), proof });
  }
  return proven;
}
