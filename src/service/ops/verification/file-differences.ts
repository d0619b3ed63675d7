import { inParallel } from "../../kernel/in-parallel.ts";
import { checkFiles } from "../../store/blobs/checked-files.ts";
import { namedFiles, numberOfNamedFiles } from "../../store/blobs/named-files.ts";
import type { Place } from "../../store/blobs/place.ts";
import type { OnProgress } from "../../store/copy/copy-records.ts";
import { listed } from "../../store/dialect.ts";
import type { Database } from "../../store/tables.ts";

/** Files read at a time. */
const READ_AT_ONCE = 4;

export async function* fileDifferences(
  db: Database,
  place: Place,
  onProgress: OnProgress,
): AsyncGenerator<string> {
  const { conditionOf } = checkFiles(place, () => {});
  const of = await numberOfNamedFiles(db);
  let done = 0;
  for await (const sha256s of namedFiles(db)) {
    const conditions = await inParallel(sha256s, READ_AT_ONCE, async (sha256) => {
      const condition = await conditionOf(sha256);
      done++;
      onProgress({ step: "verifying attachments", done, of });
      return { sha256, condition };
    });
    for (const { sha256, condition } of conditions) {
      if (condition === "whole") continue;
      const problem = condition === "changed" ? "was changed" : "is missing";
      yield `attachment ${sha256} ${problem}: ${place.addressOf(sha256)}, named by ${await namesOf(db, sha256)}`;
    }
  }
}

async function namesOf(db: Database, sha256: string): Promise<string> {
  const rows = await db
    .selectFrom("attachments")
    .select("attestation_id")
    .where("sha256", "=", sha256)
    .orderBy("attestation_id")
    .limit(2)
    .execute();
  const [first, second] = rows;
  return `attestation ${first?.attestation_id}${second === undefined ? "" : " and others"}`;
}

/** Counts the stored files that no record names. A sweep removes them later. */
export async function unnamedFiles(db: Database, place: Place): Promise<number> {
  let unnamed = 0;
  for await (const sha256s of place.list()) {
    const rows = await db
      .selectFrom("attachments")
      .select("sha256")
      .distinct()
      .where("sha256", "in", listed(sha256s))
      .execute();
    unnamed += sha256s.length - rows.length;
  }
  return unnamed;
}
