import { inSteps, type Moments } from "../../../store/consistency/in-steps.ts";
import { dialectOf, listed } from "../../../store/dialect.ts";
import { idsOf } from "../../../store/ids.ts";
import type { Store } from "../../../store/store.ts";
import type { Database, Tables } from "../../../store/tables.ts";
import { byText, MAX_TEXTS, putDocument, textsIn } from "./documents.ts";
import { type SearchText, textsOfArtifact, textsOfAttestation, textsOfTrail } from "./texts.ts";
import { storedWords } from "./words.ts";

/** A document of the search that differs from the records it follows from. */
export interface SearchDifference {
  readonly recordId: string;
  /** Null for an artifact without a trail. */
  readonly trailId: string | null;
  readonly problem: "is missing" | "differs from its records";
}

interface Expected {
  readonly orgId: string;
  readonly flowId: string;
  readonly recordId: string;
  readonly trailId: string | null;
  readonly createdAt: number;
  readonly own: readonly SearchText[];
  readonly texts: readonly SearchText[];
}

const AT_A_TIME = 100;

/** Compares the documents of the search with all records, oldest first. */
export async function* searchDifferences(
  records: Moments,
  onCompared: (documents: number) => void = () => {},
): AsyncGenerator<SearchDifference> {
  const start: Position = { org_id: "", created_at: 0, id: "" };
  yield* inSteps(records, { start, onCompared }, async (db, last) => {
    const trails = await selectTrails(db)
      .where(({ eb, refTuple, tuple }) =>
        eb(refTuple("org_id", "created_at", "id"), ">", tuple(last.org_id, last.created_at, last.id)),
      )
      .orderBy("org_id")
      .orderBy("created_at")
      .orderBy("id")
      .limit(AT_A_TIME)
      .execute();
    return step(db, await documentsOfTrails(db, trails), trails);
  });
  yield* inSteps(records, { start: { sequence: 0 }, onCompared }, async (db, last) => {
    const artifacts = await selectArtifacts(db)
      .where("sequence", ">", last.sequence)
      .where("trail_id", "is", null)
      .orderBy("sequence")
      .limit(AT_A_TIME)
      .execute();
    return step(db, artifacts.map(documentOfArtifact), artifacts);
  });
}

type Position = Pick<Tables["trails"], "org_id" | "created_at" | "id">;

async function step<Row>(db: Database, expected: readonly Expected[], rows: readonly Row[]) {
  const found = await differing(db, expected);
  return { found, compared: rows.length, next: rows.length < AT_A_TIME ? undefined : rows.at(-1) };
}

/** Makes the documents equal to the records, and fills the engine's index again. @returns the number of changes */
export async function repairSearch(store: Pick<Store, "readTogether" | "write">): Promise<number> {
  let repaired = 0;
  let ids: string[] = [];
  // The records may have changed since they were compared.
  const repair = () => store.write((db) => putDocuments(db, ids));
  for await (const { recordId } of searchDifferences(store)) {
    ids.push(recordId);
    repaired++;
    if (ids.length < AT_A_TIME) continue;
    await repair();
    ids = [];
  }
  await repair();
  await store.write((db) => dialectOf(db).searchIndex.fill(db));
  return repaired;
}

async function putDocuments(db: Database, recordIds: readonly string[]): Promise<void> {
  const trails = await selectTrails(db).where("id", "in", listed(recordIds)).orderBy("created_at").execute();
  const artifacts = await selectArtifacts(db).where("id", "in", listed(recordIds)).execute();
  const expected = [...(await documentsOfTrails(db, trails)), ...artifacts.map(documentOfArtifact)];
  for (const each of expected)
    await putDocument(db, each, { ...each, texts: each.texts.slice(0, MAX_TEXTS) });
}

async function differing(db: Database, expected: readonly Expected[]): Promise<SearchDifference[]> {
  const rows = await db
    .selectFrom("search_documents")
    .selectAll()
    .where("record_id", "in", listed(expected.map(({ recordId }) => recordId)))
    .execute();
  const stored = new Map(rows.map((row) => [row.record_id, row]));
  return expected.flatMap((each): SearchDifference[] => {
    const { recordId, trailId } = each;
    const row = stored.get(recordId);
    if (row === undefined) return [{ recordId, trailId, problem: "is missing" }];
    return isEqual(row, each) ? [] : [{ recordId, trailId, problem: "differs from its records" }];
  });
}

type Row = Pick<
  Tables["search_documents"],
  "org_id" | "flow_id" | "trail_id" | "own" | "texts" | "words" | "created_at"
>;

function isEqual(row: Row, { orgId, flowId, trailId, createdAt, own, texts }: Expected): boolean {
  const isSubject =
    row.org_id === orgId &&
    row.flow_id === flowId &&
    row.trail_id === trailId &&
    row.created_at === createdAt;
  if (!isSubject || row.own !== JSON.stringify(own)) return false;
  const isComplete = row.texts === JSON.stringify(texts);
  // A full document has the texts that came first.
  const isFull = texts.length > MAX_TEXTS && isFullOf(row.texts, texts);
  if (!isComplete && !isFull) return false;
  return row.words === storedWords({ orgId, flowId }, [...own, ...textsIn(row.texts)]);
}

function isFullOf(column: string, texts: readonly SearchText[]): boolean {
  const all = new Set(texts.map((text) => JSON.stringify(text)));
  const stored = textsIn(column);
  return stored.length === MAX_TEXTS && stored.every((text) => all.has(JSON.stringify(text)));
}

type TrailRow = Pick<
  Tables["trails"],
  "id" | "org_id" | "flow_id" | "name" | "git_commit_info" | "created_at"
>;

async function documentsOfTrails(db: Database, trails: readonly TrailRow[]): Promise<Expected[]> {
  const ids = idsOf(trails);
  const artifacts = await selectArtifacts(db).where("trail_id", "in", listed(ids)).execute();
  const attestations = await db
    .selectFrom("attestations")
    .select(["trail_id", "type", "commit_sha", "details"])
    .where("trail_id", "in", listed(ids))
    .execute();
  const found = new Map<string | null, Map<string, SearchText>>();
  const add = (trailId: string | null, texts: readonly SearchText[]) => {
    const known = found.get(trailId) ?? new Map<string, SearchText>();
    for (const text of texts) known.set(JSON.stringify(text), text);
    found.set(trailId, known);
  };
  for (const row of artifacts) add(row.trail_id, textsOfArtifact(withCommit(row)));
  for (const row of attestations) add(row.trail_id, textsOfAttestation(withCommit(row)));
  return trails.map((trail) => ({
    orgId: trail.org_id,
    flowId: trail.flow_id,
    recordId: trail.id,
    trailId: trail.id,
    createdAt: trail.created_at,
    own: textsOfTrail(trail),
    texts: [...(found.get(trail.id)?.values() ?? [])].sort(byText),
  }));
}

function selectTrails(db: Database) {
  return db.selectFrom("trails").select(["id", "org_id", "flow_id", "name", "git_commit_info", "created_at"]);
}

type ArtifactRow = Awaited<ReturnType<ReturnType<typeof selectArtifacts>["execute"]>>[number];

function documentOfArtifact(row: ArtifactRow): Expected {
  return {
    orgId: row.org_id,
    flowId: row.flow_id,
    recordId: row.id,
    trailId: null,
    createdAt: row.created_at,
    own: [],
    texts: textsOfArtifact(withCommit(row)).sort(byText),
  };
}

function selectArtifacts(db: Database) {
  return db
    .selectFrom("artifacts")
    .select(["sequence", "id", "org_id", "flow_id", "trail_id", "filename", "template_name", "fingerprint"])
    .select(["commit_sha", "details", "created_at"]);
}

/** Takes the commit from the details, where it is stored. Unreadable details are reported elsewhere. */
function withCommit<R extends { details: string }>(row: R): R & { git_commit_info: string | null } {
  try {
    const { git_commit_info: info } = JSON.parse(row.details);
    return { ...row, git_commit_info: info ? JSON.stringify(info) : null };
  } catch {
    return { ...row, details: "{}", git_commit_info: null };
  }
}
