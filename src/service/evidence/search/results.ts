import type { AnswerOf } from "../../../api/operation.ts";
import type { search } from "../../../api/resources/search.ts";
import type { Organization } from "../../kernel/caller.ts";
import { fieldsIn } from "../../kernel/json-column.ts";
import type { Links } from "../../kernel/links.ts";
import { isAmong, listed, listedNumbers } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { ComplianceState, Database } from "../../store/tables.ts";
import type { Candidate } from "./candidates.ts";
import { textsIn } from "./index/documents.ts";
import { type SearchText, subjectOf } from "./index/texts.ts";
import { numbersOf, wordsOf } from "./index/words.ts";
import type { Term } from "./query.ts";

export type Group = AnswerOf<typeof search>["groups"][number];
export type Result = Group["results"][number];

export interface Showing {
  readonly org: Organization;
  readonly links: Links;
  readonly terms: readonly Term[];
  readonly isOfFlow: (term: Term, flowId: string) => boolean;
}

/** The results for some trails, in their order. */
export async function trailResults(
  db: Database,
  documents: readonly Candidate[],
  { org, links, ...showing }: Showing,
): Promise<Result[]> {
  const rows = await db
    .selectFrom("trails")
    .innerJoin("flows", "flows.id", "trails.flow_id")
    .innerJoin("search_documents as document", "document.record_id", "trails.id")
    .select(["trails.id", "trails.name", "trails.compliance_state", "trails.git_commit_info"])
    .select(["trails.created_at", "trails.flow_id", "flows.name as flow", "document.own", "document.texts"])
    .where("trails.id", "in", listed(documents.map(({ record_id }) => record_id)))
    .execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return documents.flatMap(({ record_id }): Result[] => {
    const row = byId.get(record_id);
    if (row === undefined) return [];
    const texts = [...textsIn(row.own), ...textsIn(row.texts)];
    const ofTrail = row.git_commit_info === null ? {} : fieldsIn(JSON.parse(row.git_commit_info));
    return [
      {
        kind: "trail",
        name: row.name,
        state: row.compliance_state,
        flow: row.flow,
        // A trail that began with an attestation has no commit of its own.
        ...commitOf({ ...commitIn(texts), ...ofTrail }),
        time: row.created_at,
        htmlUrl: links.trail(org.name, row.flow, row.name),
        matched: matched(texts, row, showing),
      },
    ];
  });
}

export interface FoundArtifact {
  readonly sequence: number;
  readonly record_id: string;
}

/** Maximum number of artifacts that are compared. */
const MAX_ARTIFACTS = 5_000;

interface ArtifactFilter {
  readonly terms: readonly Term[];
  readonly state?: ComplianceState | undefined;
  /** Only these fingerprints. */
  readonly fingerprints?: ReadonlySet<string> | undefined;
}

/**
 * The artifacts of documents, newest first; the latest report of each in a trail. If a word is in the name of one
 * artifact of a trail, the others of the trail are not wanted.
 */
export async function artifactsOf(
  db: Database,
  documents: readonly Candidate[],
  { terms, state, fingerprints }: ArtifactFilter,
): Promise<FoundArtifact[]> {
  const select = () =>
    db
      .selectFrom("artifacts")
      .select(["sequence", "id", "trail_id", "fingerprint", "filename", "template_name"])
      .where(isAmong("compliance_state", state && [state]))
      .limit(MAX_ARTIFACTS);
  const [ofTrails, others] = [true, false].map((isTrail) =>
    documents.flatMap(({ record_id, trail_id }) => ((trail_id !== null) === isTrail ? [record_id] : [])),
  );
  const rows = [
    ...(await select()
      .where("trail_id", "in", listed(ofTrails ?? []))
      .execute()),
    ...(await select()
      .where("id", "in", listed(others ?? []))
      .execute()),
  ]
    .filter(({ fingerprint }) => fingerprints === undefined || fingerprints.has(fingerprint))
    .sort((a, b) => b.sequence - a.sequence);
  const inTrail = Map.groupBy(rows, ({ id, trail_id }) => trail_id ?? id);
  return [...inTrail].flatMap(([record_id, artifacts]) => {
    const latest = new Map(artifacts.toReversed().map((row) => [row.fingerprint, row]));
    const named = terms.map((term) => new Set([...latest.values()].filter((row) => isNamed(row, term))));
    return [...latest.values()]
      .filter((row) => latest.size === 1 || named.every((rows) => rows.size === 0 || rows.has(row)))
      .map(({ sequence }) => ({ sequence, record_id }))
      .sort((a, b) => b.sequence - a.sequence);
  });
}

interface Named {
  readonly fingerprint: string;
  readonly filename: string;
  readonly template_name: string | null;
}

function isNamed({ fingerprint, filename, template_name }: Named, term: Term): boolean {
  return [fingerprint, filename, template_name ?? ""].some((text) => hasTerm(text, term));
}

export async function artifactResults(
  db: Database,
  found: readonly FoundArtifact[],
  { org, links, ...showing }: Showing,
): Promise<Result[]> {
  if (found.length === 0) return [];
  const rows = await db
    .selectFrom("artifacts")
    .innerJoin("flows", "flows.id", "artifacts.flow_id")
    .leftJoin("trails", "trails.id", "artifacts.trail_id")
    .select(["artifacts.sequence", "artifacts.id", "artifacts.filename", "artifacts.fingerprint"])
    .select([
      "artifacts.compliance_state",
      "artifacts.commit_sha",
      "artifacts.details",
      "artifacts.created_at",
    ])
    .select(["artifacts.flow_id", "artifacts.branch", "flows.name as flow", "trails.name as trail"])
    .where("artifacts.sequence", "in", listedNumbers(found.map(({ sequence }) => sequence)))
    .execute();
  const documents = await db
    .selectFrom("search_documents")
    .select(["record_id", "own", "texts"])
    .where("record_id", "in", listed(found.map(({ record_id }) => record_id)))
    .execute();
  const bySequence = new Map(rows.map((row) => [row.sequence, row]));
  const textsOf = new Map(
    documents.map(({ record_id: id, own, texts }) => [id, [...textsIn(own), ...textsIn(texts)]]),
  );
  return found.flatMap(({ sequence, record_id }): Result[] => {
    const row = bySequence.get(sequence);
    if (row === undefined) return [];
    const texts = textsOf.get(record_id) ?? [];
    const { git_commit_info: info } = JSON.parse(row.details);
    return [
      {
        kind: "artifact",
        name: row.filename,
        state: row.compliance_state,
        flow: row.flow,
        trail: row.trail,
        fingerprint: row.fingerprint,
        ...commitOf({
          ...commitIn(texts),
          ...fieldsIn(info),
          ...(row.commit_sha && { sha1: row.commit_sha }),
        }),
        time: row.created_at,
        htmlUrl: links.artifact(org.name, row.flow, row.fingerprint, row.id),
        matched: matched(
          [["artifact", row.filename], ["fingerprint", row.fingerprint], ...texts],
          row,
          showing,
        ),
      },
    ];
  });
}

type Fields = Readonly<Record<string, unknown>>;

/** The commit of a document, in the fields of a submitted one. */
function commitIn(texts: readonly SearchText[]): Fields {
  const first = (field: string) => texts.find(([name]) => name === field)?.[1];
  return {
    sha1: first("commit"),
    message: first("subject"),
    author: first("author"),
    branch: first("branch"),
  };
}

function commitOf({ sha1, message, author, author_username, branch }: Fields) {
  const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : null);
  const name = textOf(author)?.replace(/\s*<.*>\s*$/, "") || null;
  return {
    commit: textOf(sha1),
    subject: textOf(subjectOf(textOf(message) ?? "")),
    author: textOf(author_username) ?? name,
    branch: textOf(branch),
  };
}

function matched(
  texts: readonly SearchText[],
  { flow_id, flow }: { flow_id: string; flow: string },
  { terms, isOfFlow }: Pick<Showing, "terms" | "isOfFlow">,
): Result["matched"] {
  const found = terms.flatMap((term) => {
    const text = texts.find(([, each]) => hasTerm(each, term));
    if (text) return [{ field: text[0], text: text[1] }];
    return isOfFlow(term, flow_id) ? [{ field: "flow", text: flow }] : [];
  });
  return distinctMatches(found);
}

export function distinctMatches(found: Result["matched"]): Result["matched"] {
  return [...new Map(found.map((each) => [`${each.field} ${each.text}`, each])).values()];
}

/** Whether a word of a text begins with a term. */
export function hasTerm(text: string, { word, isNumber }: Term): boolean {
  if (isNumber) return numbersOf(text).includes(word);
  return wordsOf(text).some((each) => each.startsWith(word));
}

/** The ids of the flows that a term may name. */
export type FlowNames = ReadonlyMap<Term, readonly string[]>;

/** Maximum number of flows for a word. */
const MAX_FLOWS = 20;

/** The flows whose name has a word that begins with a term. */
export function flowsNamed(
  flows: readonly { id: string; name: string }[],
  terms: readonly Term[],
): FlowNames {
  return new Map(
    terms.map((term) => [term, idsOf(flows.filter(({ name }) => hasTerm(name, term))).slice(0, MAX_FLOWS)]),
  );
}
