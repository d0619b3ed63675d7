import { isDeepStrictEqual } from "node:util";
import { complianceDifferences, type Difference } from "../../evidence/compliance/differences.ts";
import { searchDifferences } from "../../evidence/search/index/differences.ts";
import { numberOfNamedFiles } from "../../store/blobs/named-files.ts";
import type { Place } from "../../store/blobs/place.ts";
import { atOneMoment, type Moments } from "../../store/consistency/in-steps.ts";
import { numberDifferences } from "../../store/consistency/number-differences.ts";
import { rowDifferences } from "../../store/consistency/row-differences.ts";
import { numberOfRows } from "../../store/copy/copied-tables.ts";
import { countRecords, type OnProgress } from "../../store/copy/copy-records.ts";
import { dialectOf } from "../../store/dialect.ts";
import type { Store } from "../../store/store.ts";
import type { Database } from "../../store/tables.ts";
import { fileDifferences, unnamedFiles } from "./file-differences.ts";
import { stateDifferences } from "./state-differences.ts";

export interface Verification {
  readonly differences: number;
  /** Undefined if the database is damaged, because comparisons would not be reliable. */
  readonly compared?: {
    readonly rows: number;
    readonly files: number;
    /** Files that no record names. They are not a difference. */
    readonly unnamed: number;
  };
}

/** Compares the database file, the records, compliance, and the attachments. */
export async function verify(
  { records, place }: { records: Pick<Store, "read" | "readTogether">; place: Place },
  { onProgress, differs }: { onProgress: OnProgress; differs: (line: string) => void },
): Promise<Verification> {
  let differences = 0;
  const report = async (lines: AsyncIterable<string>) => {
    for await (const line of lines) {
      differences++;
      differs(line);
    }
  };
  onProgress({ step: "verifying the database", done: 0, of: 1 });
  await report(databaseDamages(records.read));
  if (differences > 0) return { differences };
  const { rows: of } = await countRecords(records);
  let rows = 0;
  const onCompared = (more: number) => {
    rows += more;
    onProgress({ step: "verifying records", done: rows, of });
  };
  await report(rowDifferences(records, onCompared));
  await report(numberDifferences(records));
  await report(stateDifferences(records));
  await report(verdictDifferences(records, onProgress));
  await report(indexDifferences(records, onProgress));
  // Files are stored before records name them, so files of later records are also complete.
  await report(fileDifferences(records.read, place, onProgress));
  const files = await numberOfNamedFiles(records.read);
  return { differences, compared: { rows, files, unnamed: await unnamedFiles(records.read, place) } };
}

async function* databaseDamages(db: Database): AsyncGenerator<string> {
  for (const damage of await dialectOf(db).damages(db)) yield `the database file is damaged: ${damage}`;
}

async function* verdictDifferences(records: Moments, onProgress: OnProgress): AsyncGenerator<string> {
  const of = await atOneMoment(records, (db) => numberOfRows(db, { name: "trails" }));
  let done = 0;
  const onCompared = (trails: number) => {
    done += trails;
    onProgress({ step: "evaluating trails", done, of });
  };
  for await (const difference of complianceDifferences(records, onCompared)) yield sentence(difference);
}

async function* indexDifferences(records: Moments, onProgress: OnProgress): AsyncGenerator<string> {
  const of = await atOneMoment(records, (db) => numberOfRows(db, { name: "search_documents" }));
  let done = 0;
  const onCompared = (documents: number) => {
    done += documents;
    onProgress({ step: "verifying the search index", done, of });
  };
  for await (const { recordId, trailId, problem } of searchDifferences(records, onCompared))
    yield `search index of ${trailId === null ? "artifact" : "trail"} ${recordId}: ${problem}`;
}

function sentence({ trailId, artifactId, stored, found }: Difference): string {
  const about = artifactId === undefined ? `trail ${trailId}` : `artifact ${artifactId} in trail ${trailId}`;
  const [before, now] = onlyDiffering(stored, found).map((value) => JSON.stringify(value));
  return `${about}: stored is ${before}, but its records say ${now}`;
}

function onlyDiffering(stored: unknown, found: unknown): [unknown, unknown] {
  const [before, now] = [fieldsOf(stored), fieldsOf(found)];
  if (before === undefined || now === undefined) return [stored, found];
  const differing = [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((field) => !isDeepStrictEqual(before[field], now[field]))
    .slice(0, SHOWN_FIELDS);
  const pick = (fields: Record<string, unknown>) =>
    Object.fromEntries(differing.map((field) => [field, fields[field] ?? null]));
  return [pick(before), pick(now)];
}

const SHOWN_FIELDS = 3;

function fieldsOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? { ...value } : undefined;
}
