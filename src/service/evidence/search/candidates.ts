import { countRows, dialectOf, hasWords, listed, listedNumbers, ROW_COUNT } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { SearchedWords } from "../../store/search-index.ts";
import type { ComplianceState, Database } from "../../store/tables.ts";

export interface Candidate {
  readonly id: number;
  readonly record_id: string;
  /** Null for an artifact without a trail. */
  readonly trail_id: string | null;
  readonly created_at: number;
}

export interface Wanted {
  readonly words: SearchedWords;
  readonly state?: ComplianceState | undefined;
  /** Unix seconds. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Only documents of running artifacts. */
  readonly running?: Running | undefined;
}

export interface Running {
  readonly fingerprints: readonly string[];
  /** Ids of their trails, and of artifacts without a trail. */
  readonly recordIds: readonly string[];
}

/** Maximum number of results of a kind. */
export const MAX_FOUND = 500;
/** Maximum number of documents that are read if many have the words. */
const MAX_READ = 5_000;
/** Maximum number of running artifacts that are read. */
const MAX_RUNNING = 5_000;

/**
 * The newest documents with the words, up to a limit. If more have them than the limit, the index does not tell which of
 * them are wanted, so the newest documents are read instead, and compared.
 */
export async function findDocuments(
  db: Database,
  orgId: string,
  wanted: Wanted,
): Promise<{ documents: Candidate[]; more: boolean }> {
  // Few artifacts run, so the index is not needed.
  if (wanted.running) return sortedByAge((await newestDocuments(db, orgId, wanted)).documents, false);
  const { searchIndex } = dialectOf(db);
  const { rows } = await searchIndex.find(wanted.words, MAX_FOUND + 1).execute(db);
  if (rows.length === 0) return { documents: [], more: false };
  const byId = await documents(db, wanted)
    .select("document.org_id")
    .where("document.id", "in", listedNumbers(idsOf(rows).slice(0, MAX_FOUND)))
    .execute();
  // As a condition, SQLite would read all documents of the organization in their order.
  const found: Candidate[] = byId.filter(({ org_id }) => org_id === orgId);
  const more = rows.length > MAX_FOUND;
  const isLimited = [wanted.state, wanted.from, wanted.to].some((condition) => condition !== undefined);
  if (!more || (!isLimited && searchIndex.isByAge)) return sortedByAge(found, more);
  const newest = await newestDocuments(db, orgId, wanted);
  return newest.isComplete
    ? sortedByAge(newest.documents, false)
    : sortedByAge([...found, ...newest.documents], true);
}

function sortedByAge(found: readonly Candidate[], more: boolean) {
  const byId = new Map(found.map((document) => [document.id, document]));
  const sorted = [...byId.values()].sort((a, b) => b.created_at - a.created_at || b.id - a.id);
  return { documents: sorted.slice(0, MAX_FOUND), more: more || sorted.length > MAX_FOUND };
}

function documents(db: Database, { state, from, to }: Wanted) {
  let query = db
    .selectFrom("search_documents as document")
    .select(["document.id", "document.record_id", "document.trail_id", "document.created_at"]);
  if (from !== undefined) query = query.where("document.created_at", ">=", from);
  if (to !== undefined) query = query.where("document.created_at", "<", to);
  if (state === undefined) return query;
  return query.where(({ exists, selectFrom }) =>
    exists(
      selectFrom("trails")
        .select("trails.id")
        .whereRef("trails.id", "=", "document.trail_id")
        .where("trails.compliance_state", "=", state),
    ),
  );
}

/** Complete if all documents that fulfill the other conditions were read, and all that have the words are returned. */
async function newestDocuments(
  db: Database,
  orgId: string,
  wanted: Wanted,
): Promise<{ documents: Candidate[]; isComplete: boolean }> {
  const { state, running } = wanted;
  const limited = documents(db, wanted);
  const read = running
    ? limited.where("document.record_id", "in", listed(running.recordIds))
    : state === undefined
      ? limited
          .where("document.org_id", "=", orgId)
          .orderBy("document.created_at", "desc")
          .orderBy("document.id", "desc")
      : documentsInState(db, orgId, wanted, state);
  const found = await db
    .selectFrom(read.select("document.words").limit(MAX_READ).as("newest"))
    .select(["newest.id", "newest.record_id", "newest.trail_id", "newest.created_at"])
    .where(hasWords("newest.words", wanted.words))
    .limit(MAX_FOUND + 1)
    .execute();
  if (found.length > MAX_FOUND) return { documents: found, isComplete: false };
  const all = db.selectFrom(read.limit(MAX_READ + 1).as("read")).select(ROW_COUNT);
  return { documents: found, isComplete: (await countRows(all)) <= MAX_READ };
}

/** The index of the trails by state gives the order. */
function documentsInState(db: Database, orgId: string, { from, to }: Wanted, state: ComplianceState) {
  let query = db
    .selectFrom("trails")
    .innerJoin("search_documents as document", "document.record_id", "trails.id")
    .select(["document.id", "document.record_id", "document.trail_id", "document.created_at"])
    .where("trails.org_id", "=", orgId)
    .where("trails.compliance_state", "=", state)
    .orderBy("trails.created_at", "desc")
    .orderBy("trails.id", "desc");
  if (from !== undefined) query = query.where("trails.created_at", ">=", from);
  if (to !== undefined) query = query.where("trails.created_at", "<", to);
  return query;
}

/** The artifacts that run in some environments. */
export async function runningIn(
  db: Database,
  orgId: string,
  environmentIds: readonly string[],
): Promise<Running> {
  const running = await db
    .selectFrom("running_intervals as running")
    .select("running.fingerprint")
    .distinct()
    .where("running.environment_id", "in", listed(environmentIds))
    .where("running.until", "is", null)
    .limit(MAX_RUNNING)
    .execute();
  const fingerprints = running.map(({ fingerprint }) => fingerprint);
  const reported = await db
    .selectFrom("artifacts")
    .select(["artifacts.id", "artifacts.trail_id"])
    .where("artifacts.org_id", "=", orgId)
    .where("artifacts.fingerprint", "in", listed(fingerprints))
    .limit(MAX_READ)
    .execute();
  return { fingerprints, recordIds: [...new Set(reported.map(({ id, trail_id }) => trail_id ?? id))] };
}
