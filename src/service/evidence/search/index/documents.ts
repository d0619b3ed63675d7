import { dialectOf } from "../../../store/dialect.ts";
import { type Given, prepared, together } from "../../../store/prepared.ts";
import type { Database, Tables } from "../../../store/tables.ts";
import type { SearchText } from "./texts.ts";
import { storedWords } from "./words.ts";

/** The texts of a document as they are stored. */
export interface DocumentTexts {
  readonly own: string;
  readonly texts: string;
}

/** Maximum number of texts from artifacts and attestations. Later ones are not found by a search. */
export const MAX_TEXTS = 2_000;

interface Subject {
  readonly orgId: string;
  readonly flowId: string;
  /** The id of the trail, or of an artifact without a trail. */
  readonly recordId: string;
}

/** @param own of the trail; an artifact without a trail has only `texts` */
export async function putDocument(
  db: Database,
  subject: Subject & { trailId: string | null; createdAt: number },
  { own, texts }: { own: readonly SearchText[]; texts: readonly SearchText[] },
): Promise<void> {
  const row = insertDocument(db, {
    org_id: subject.orgId,
    flow_id: subject.flowId,
    record_id: subject.recordId,
    trail_id: subject.trailId,
    own: JSON.stringify(own),
    texts: JSON.stringify(texts.toSorted(byText)),
    words: storedWords(subject, [...own, ...texts]),
    created_at: subject.createdAt,
  });
  await together([row, indexChange(db, subject.recordId)]);
}

/** Adds texts of an artifact or attestation to the document of its trail. Writes nothing if it has them. */
export async function addTexts(
  db: Database,
  subject: Subject,
  document: DocumentTexts,
  added: readonly SearchText[],
): Promise<void> {
  const isNew = (text: SearchText) => !document.texts.includes(JSON.stringify(text));
  if (!added.some(isNew)) return;
  const before = textsIn(document.texts);
  const texts = withTexts(before, added.filter(isNew));
  if (texts.length === before.length) return;
  await changeDocument(db, subject, document, { own: textsIn(document.own), texts });
}

/** Replaces the texts of the trail itself. */
export async function replaceOwn(
  db: Database,
  subject: Subject,
  document: DocumentTexts,
  own: readonly SearchText[],
): Promise<void> {
  if (document.own === JSON.stringify(own)) return;
  await changeDocument(db, subject, document, { own, texts: textsIn(document.texts) });
}

/** Sorted, so that the order of records makes no difference. */
function withTexts(before: readonly SearchText[], added: readonly SearchText[]): SearchText[] {
  return [...before, ...added.slice(0, Math.max(0, MAX_TEXTS - before.length))].sort(byText);
}

export function byText([field, text]: SearchText, [otherField, other]: SearchText): number {
  if (field !== otherField) return field < otherField ? -1 : 1;
  return text < other ? -1 : text > other ? 1 : 0;
}

export function textsIn(column: string): SearchText[] {
  return JSON.parse(column);
}

async function changeDocument(
  db: Database,
  subject: Subject,
  before: DocumentTexts,
  { own, texts }: { own: readonly SearchText[]; texts: readonly SearchText[] },
): Promise<void> {
  const changed = { record_id: subject.recordId, own: JSON.stringify(own), texts: JSON.stringify(texts) };
  const words = storedWords(subject, [...own, ...texts]);
  // Without new words, the index stays as it is.
  if (words === storedWords(subject, [...textsIn(before.own), ...textsIn(before.texts)])) {
    await updateTexts(db, changed);
    return;
  }
  await together([updateDocument(db, { ...changed, words }), indexChange(db, subject.recordId)]);
}

/** Brings the index up to date with the words of a document. */
async function indexChange(db: Database, recordId: string): Promise<void> {
  await dialectOf(db).searchIndex.change(recordId)?.execute(db);
}

/** Replaces a document that should not be there. */
const insertDocument = prepared((db, given: Given<Omit<Tables["search_documents"], "id">>) =>
  db
    .insertInto("search_documents")
    .values({
      org_id: given("org_id"),
      flow_id: given("flow_id"),
      record_id: given("record_id"),
      trail_id: given("trail_id"),
      own: given("own"),
      texts: given("texts"),
      words: given("words"),
      created_at: given("created_at"),
    })
    .onConflict((conflict) =>
      conflict.column("record_id").doUpdateSet(({ ref }) => ({
        org_id: ref("excluded.org_id"),
        flow_id: ref("excluded.flow_id"),
        trail_id: ref("excluded.trail_id"),
        own: ref("excluded.own"),
        texts: ref("excluded.texts"),
        words: ref("excluded.words"),
        created_at: ref("excluded.created_at"),
      })),
    ),
);

type Changed = Pick<Tables["search_documents"], "record_id" | "own" | "texts">;

const updateTexts = prepared((db, given: Given<Changed>) =>
  db
    .updateTable("search_documents")
    .set({ own: given("own"), texts: given("texts") })
    .where("record_id", "=", given("record_id")),
);

const updateDocument = prepared((db, given: Given<Changed & { words: string }>) =>
  db
    .updateTable("search_documents")
    .set({ own: given("own"), texts: given("texts"), words: given("words") })
    .where("record_id", "=", given("record_id")),
);

/** The texts of a trail's document. Empty if it is missing, which `verify` reports. */
export async function documentOf(db: Database, trailId: string): Promise<DocumentTexts> {
  const found = await db
    .selectFrom("search_documents")
    .select(["own", "texts"])
    .where("record_id", "=", trailId)
    .executeTakeFirst();
  return found ?? { own: "[]", texts: "[]" };
}
