import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import { namesIn, type Scope } from "../../kernel/scope.ts";
import { environmentRecords } from "../../runtime/environments/list.ts";
import { hasWordStart, isAmong, listed } from "../../store/dialect.ts";
import { idsOf } from "../../store/ids.ts";
import type { Database, Tables } from "../../store/tables.ts";
import { latestTrailsOf } from "../flows/list.ts";
import { hasTagWord, type TaggedType, tagsOf } from "../tag-records.ts";
import { MAX_FOUND } from "./candidates.ts";
import type { Term } from "./query.ts";
import { distinctMatches, type Group, hasTerm, type Result, type Showing } from "./results.ts";

interface NamedQuery {
  readonly orgId: string;
  readonly scope: Scope;
  readonly terms: readonly Term[];
}

interface Named {
  readonly id: string;
  readonly name: string;
}

/** A kind of records of which an organization has few. They are found by their names and tags, without an index. */
export interface NamedKind {
  /** Sorted by name. */
  find(db: Database, query: NamedQuery): Promise<readonly Named[]>;
  results(db: Database, found: readonly Named[], showing: Omit<Showing, "isOfFlow">): Promise<Result[]>;
}

const flows: NamedKind = {
  find: (db, { orgId, scope, terms }) =>
    db
      .selectFrom("flows")
      .select(["id", "name"])
      .where("org_id", "=", orgId)
      .where(isAmong("name", namesIn(scope, "flows")))
      .where(hasTerms(terms, ["flows.name"], "flow"))
      .orderBy("name")
      .limit(MAX_FOUND + 1)
      .execute(),
  async results(db, found, { org, links, terms }) {
    const rows = await db
      .selectFrom("flows")
      .select(["id", "name", "archived_at", "created_at"])
      .where("id", "in", listed(idsOf(found)))
      .orderBy("name")
      .execute();
    const latest = await latestTrailsOf(db, idsOf(rows));
    const tags = await tagsOf(db, "flow", idsOf(rows));
    return rows.map(({ id, name, archived_at, created_at }) => ({
      kind: "flow",
      name,
      state: archived_at === null ? (latest.get(id)?.compliance_state ?? null) : ARCHIVED,
      time: latest.get(id)?.last_modified_at ?? created_at,
      htmlUrl: links.flow(org.name, name),
      matched: matched({ name }, tags.get(id), terms),
    }));
  },
};

const environments: NamedKind = {
  find: (db, { orgId, scope, terms }) =>
    db
      .selectFrom("environments")
      .select(["id", "name"])
      .where("org_id", "=", orgId)
      .where(isAmong("name", namesIn(scope, "environments")))
      .where(hasTerms(terms, ["environments.name"], "environment"))
      .orderBy("name")
      .limit(MAX_FOUND + 1)
      .execute(),
  async results(db, found, { org, links, terms }) {
    const rows = await db
      .selectFrom("environments")
      .selectAll()
      .where("id", "in", listed(idsOf(found)))
      .orderBy("name")
      .execute();
    return (await environmentRecords(db, rows)).map(({ row, state, lastReportedAt, tags }) => ({
      kind: "environment",
      name: row.name,
      state: row.archived_at === null ? stateName(state) : ARCHIVED,
      time: lastReportedAt ?? row.created_at,
      htmlUrl: links.environment(org.name, row.name),
      matched: matched({ name: row.name }, tags, terms),
    }));
  },
};

const repos: NamedKind = {
  find: (db, { orgId, terms }) =>
    db
      .selectFrom("repos")
      .select(["id", "name"])
      .where("org_id", "=", orgId)
      .where(hasTerms(terms, ["repos.name"], "repo"))
      .orderBy("name")
      .orderBy("id")
      .limit(MAX_FOUND + 1)
      .execute(),
  async results(db, found, { org, links, terms }) {
    const rows = await db
      .selectFrom("repos")
      .select(["id", "name", "latest_activity_at"])
      .where("id", "in", listed(idsOf(found)))
      .orderBy("name")
      .orderBy("id")
      .execute();
    const tags = await tagsOf(db, "repo", idsOf(rows));
    return rows.map(({ id, name, latest_activity_at: time }) => ({
      kind: "repo",
      name,
      time,
      htmlUrl: links.repository(org.name, name),
      matched: matched({ name }, tags.get(id), terms),
    }));
  },
};

const controls: NamedKind = {
  find: (db, { orgId, terms }) =>
    db
      .selectFrom("controls")
      .select(["id", "identifier as name"])
      .where("org_id", "=", orgId)
      .where(hasTerms(terms, ["controls.identifier", "controls.name"], "control"))
      .orderBy("identifier")
      .limit(MAX_FOUND + 1)
      .execute(),
  async results(db, found, { org, links, terms }) {
    const rows = await db
      .selectFrom("controls")
      .select(["id", "identifier", "name", "archived_at", "created_at"])
      .where("id", "in", listed(idsOf(found)))
      .orderBy("identifier")
      .execute();
    const tags = await tagsOf(db, "control", idsOf(rows));
    return rows.map(({ id, identifier, name, archived_at, created_at: time }) => ({
      kind: "control",
      name: identifier,
      subject: name,
      state: archived_at === null ? null : ARCHIVED,
      time,
      htmlUrl: links.control(org.name, identifier),
      matched: matched({ identifier, name }, tags.get(id), terms),
    }));
  },
};

const policies: NamedKind = {
  find: (db, { orgId, terms }) =>
    db
      .selectFrom("policies")
      .select(["id", "name"])
      .where("org_id", "=", orgId)
      .where(hasTerms(terms, ["policies.name"], undefined))
      .orderBy("name")
      .limit(MAX_FOUND + 1)
      .execute(),
  async results(db, found, { org, links, terms }) {
    const rows = await db
      .selectFrom("policies")
      .select(["name", "last_modified_at"])
      .where("id", "in", listed(idsOf(found)))
      .orderBy("name")
      .execute();
    return rows.map(({ name, last_modified_at: time }) => ({
      kind: "policy",
      name,
      time,
      htmlUrl: links.policy(org.name, name),
      matched: matched({ name }, {}, terms),
    }));
  },
};

export const NAMED_KINDS = [
  ["flow", flows],
  ["environment", environments],
  ["repo", repos],
  ["control", controls],
  ["policy", policies],
] as const satisfies readonly (readonly [Group["kind"], NamedKind])[];

/** Kinds that only callers without a scope may see. */
export const OF_ORGANIZATION: readonly string[] = ["repo", "control", "policy"];

const ARCHIVED = "ARCHIVED";

function stateName(state: boolean | null): string | null {
  if (state === null) return null;
  return state ? "COMPLIANT" : "NON-COMPLIANT";
}

type NameColumn =
  | "flows.name"
  | "environments.name"
  | "repos.name"
  | "controls.identifier"
  | "controls.name"
  | "policies.name";

/** Whether each term begins a word of a name or of a tag. */
function hasTerms(
  terms: readonly Term[],
  columns: readonly [NameColumn, ...NameColumn[]],
  type: TaggedType | undefined,
): Expression<SqlBool> {
  const { and, or } = expressionBuilder<Tables>();
  return and(
    terms.map(({ text }) =>
      or([
        ...columns.map((column) => hasWordStart(column, text)),
        ...(type === undefined ? [] : [hasTagWord(type, text)]),
      ]),
    ),
  );
}

function matched(
  names: Readonly<Record<string, string>>,
  tags: Readonly<Record<string, string>> | undefined,
  terms: readonly Term[],
): Result["matched"] {
  const tagTexts = Object.entries(tags ?? {}).map(([key, value]) => ["tag", `${key}=${value}`] as const);
  const texts = [...Object.entries(names), ...tagTexts];
  const found = terms.flatMap((term) => {
    const match = texts.find(([, text]) => hasTerm(text, term));
    return match ? [{ field: match[0], text: match[1] }] : [];
  });
  return distinctMatches(found);
}
