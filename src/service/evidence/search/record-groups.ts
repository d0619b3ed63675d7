import type { Slice } from "../../kernel/paging.ts";
import { namesIn, type Scope } from "../../kernel/scope.ts";
import { findEnvironment, physicalEnvironments } from "../../runtime/environments/records.ts";
import { hasWordStart, isAmong, listedNumbers } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { SearchedWord, SearchedWords } from "../../store/search-index.ts";
import type { Database } from "../../store/tables.ts";
import { flowIdsInScope } from "../flows/list.ts";
import { findFlow } from "../flows/records.ts";
import { type Candidate, findDocuments, MAX_FOUND, runningIn } from "./candidates.ts";
import { chunksOf, indexWords, partsOf } from "./index/words.ts";
import type { SearchQuery, Term } from "./query.ts";
import {
  artifactResults,
  artifactsOf,
  type FlowNames,
  flowsNamed,
  type Group,
  type Showing,
  trailResults,
} from "./results.ts";

export interface Searching extends Pick<Showing, "org" | "links"> {
  readonly scope: Scope;
  readonly slice: Slice;
  readonly isWanted: (kind: Group["kind"]) => boolean;
}

/** The trails and artifacts that match a query. */
export async function recordGroups(db: Database, query: SearchQuery, searching: Searching): Promise<Group[]> {
  const { org, links, slice, isWanted } = searching;
  const { terms, phrases, state, from, to } = query;
  const flows = await flowNames(db, terms, searching);
  const words = await wordsOfQuery(db, query, { ...searching, flows });
  const environmentIds = await environmentsOf(db, query, searching);
  if (words === undefined || environmentIds?.length === 0) return [];
  const running = environmentIds && (await runningIn(db, org.id, environmentIds));
  const found = await findDocuments(db, org.id, { words, state, from, to, running });
  const documents = await withPhrases(db, found.documents, phrases);
  const isOfFlow = (term: Term, flowId: string) => flows.get(term)?.includes(flowId) === true;
  const showing = { org, links, terms, isOfFlow };
  const group = <Item>(kind: Group["kind"], items: readonly Item[]) => ({
    kind,
    total: Math.min(items.length, MAX_FOUND),
    more: found.more || items.length > MAX_FOUND,
    page: items.slice(0, MAX_FOUND).slice(slice.offset, slice.offset + slice.limit),
  });
  const fingerprints = running && new Set(running.fingerprints);
  const groups: Group[] = [];
  if (isWanted("trail")) {
    const { page, ...trails } = group(
      "trail",
      documents.filter(({ trail_id }) => trail_id !== null),
    );
    groups.push({ ...trails, results: await trailResults(db, page, showing) });
  }
  if (isWanted("artifact")) {
    const all = await artifactsOf(db, documents, { terms, state, fingerprints });
    const { page, ...artifacts } = group("artifact", all);
    groups.push({ ...artifacts, results: await artifactResults(db, page, showing) });
  }
  return groups;
}

/** The ids of the flows that terms may name. */
async function flowNames(
  db: Database,
  terms: readonly Term[],
  { org, scope }: Searching,
): Promise<FlowNames> {
  if (terms.length === 0) return new Map();
  const flows = await db
    .selectFrom("flows")
    .select(["id", "name"])
    .where("org_id", "=", org.id)
    .where(isAmong("name", namesIn(scope, "flows")))
    .where(({ or }) => or(terms.map(({ text }) => hasWordStart("name", text))))
    .orderBy("name")
    .limit(MAX_FOUND)
    .execute();
  return flowsNamed(flows, terms);
}

/** Undefined if nothing can match. */
async function wordsOfQuery(
  db: Database,
  { terms, qualifiers }: SearchQuery,
  { org, scope, flows }: Searching & { flows: FlowNames },
): Promise<SearchedWords | undefined> {
  const index = indexWords(org.id);
  const words: SearchedWord[][] = terms.map((term) => [
    ...(term.isNumber ? [exact(index.number(term.word))] : [startOf(index.text(term.word), term.word)]),
    ...(flows.get(term) ?? []).map((id) => exact(index.flow(id))),
  ]);
  for (const { name, value } of qualifiers) {
    if (name === "author") words.push(...chunksOf(value).map((word) => [startOf(index.author(word), word)]));
    if (name === "branch") words.push([exact(index.branch(value))]);
    if (name === "jira") words.push([exact(index.issue(value))]);
    if (name === "flow") {
      const flow = await findFlow(db, org.id, value);
      if (flow === undefined) return undefined;
      words.push([exact(index.flow(flow.id))]);
    }
  }
  const flowIds = await flowIdsInScope(db, org.id, scope);
  if (flowIds?.length === 0) return undefined;
  if (flowIds !== undefined) words.push(flowIds.map((id) => exact(index.flow(id))));
  return words.length === 0 ? [[exact(index.every)]] : words;
}

function exact(word: string): SearchedWord {
  return { word, isStart: false };
}

/** So many words begin with one letter that only the letter itself is found. */
function startOf(word: string, typed: string): SearchedWord {
  return { word, isStart: !/^[A-Z0-9]$/.test(typed) };
}

/** The environments of the query within the scope. Undefined without such a qualifier. */
async function environmentsOf(
  db: Database,
  { qualifiers }: SearchQuery,
  { org, scope }: Searching,
): Promise<string[] | undefined> {
  const name = qualifiers.find((qualifier) => qualifier.name === "env")?.value;
  if (name === undefined) return undefined;
  const names = namesIn(scope, "environments");
  const environment = await findEnvironment(db, org.id, name);
  if (environment === undefined || names?.includes(name) === false) return [];
  const members = await physicalEnvironments(db, environment);
  return idsOf(members.filter((member) => names === undefined || names.includes(member.name)));
}

/** The documents that have a text with each phrase. */
async function withPhrases(
  db: Database,
  documents: readonly Candidate[],
  phrases: readonly string[],
): Promise<readonly Candidate[]> {
  if (phrases.length === 0 || documents.length === 0) return documents;
  const rows = await db
    .selectFrom("search_documents")
    .select(["id", "own", "texts"])
    .where("id", "in", listedNumbers(idsOf(documents)))
    .execute();
  const wanted = phrases.map(partsOf);
  // Between two texts are the names of their fields, so a phrase is found only within one.
  const matching = rows.filter(({ own, texts }) => {
    const parts = partsOf(`${own}${texts}`);
    return wanted.every((phrase) => parts.includes(phrase));
  });
  const ids = new Set(idsOf(matching));
  return documents.filter(({ id }) => ids.has(id));
}
