import { type Expression, expressionBuilder, type SqlBool } from "kysely";
import { MAX_TAGS } from "../../api/resources/tags.ts";
import { invalidInput } from "../kernel/errors.ts";
import { countRows, hasWordStart, listed, listedJson, ROW_COUNT } from "../store/dialect.ts";
import { type Given, prepared } from "../store/prepared.ts";
import type { Database, Tables } from "../store/tables.ts";

export type TaggedType = "flow" | "environment" | "control" | "repo";

export type Tags = Readonly<Record<string, string>>;

interface Tagged {
  type: TaggedType;
  /** A JSON array. */
  ids: string;
}

const selectTags = prepared((db, given: Given<Tagged>) =>
  db
    .selectFrom("tags")
    .select(["resource_id", "key", "value"])
    .where("resource_type", "=", given("type"))
    .where("resource_id", "in", listedJson(given("ids")))
    .orderBy("resource_id")
    .orderBy("key"),
);

/** Tags by resource id, keys sorted. Resources without tags are absent. */
export async function tagsOf(db: Database, type: TaggedType, ids: readonly string[]) {
  const found = new Map<string, Record<string, string>>();
  if (ids.length === 0) return found;
  const rows = await selectTags(db, { type, ids: JSON.stringify(ids) });
  for (const { resource_id, key, value } of rows) {
    const tags = found.get(resource_id) ?? {};
    tags[key] = value;
    found.set(resource_id, tags);
  }
  return found;
}

/** Maximum number of listed tags. */
const MAX_LISTED_TAGS = 10_000;

/** The distinct tags of the resources that are not archived, sorted. */
export async function distinctTags(db: Database, orgId: string, type: "control" | "repo") {
  const tags = db
    .selectFrom("tags")
    .select(["key", "value"])
    .distinct()
    .where("tags.org_id", "=", orgId)
    .where("resource_type", "=", type)
    .orderBy("key")
    .orderBy("value")
    .limit(MAX_LISTED_TAGS);
  if (type === "repo") return tags.execute();
  return tags
    .innerJoin("controls", "controls.id", "tags.resource_id")
    .where("controls.archived_at", "is", null)
    .execute();
}

export interface TagChanges {
  set: Tags;
  /** Takes precedence over `set`. */
  remove: readonly string[];
}

const TABLES = {
  flow: "flows",
  environment: "environments",
  control: "controls",
  repo: "repos",
} as const satisfies Readonly<Record<TaggedType, keyof Tables>>;

/** Condition that a row of the type's table has a tag: `key`, or `key:value` (older lists write `key=value`). */
export function hasTag(type: TaggedType, tag: string): Expression<SqlBool> {
  const at = tag.search(/[:=]/);
  const { exists, selectFrom } = expressionBuilder<Tables, (typeof TABLES)[TaggedType]>();
  const tagged = selectFrom("tags")
    .select("tags.key")
    .whereRef("tags.resource_id", "=", `${TABLES[type]}.id` as const)
    .where("tags.resource_type", "=", type)
    .where("tags.key", "=", at < 0 ? tag : tag.slice(0, at));
  return exists(at < 0 ? tagged : tagged.where("tags.value", "=", tag.slice(at + 1)));
}

/** Condition that a row of the type's table has a tag with a word that begins with a text, in any letter case. */
export function hasTagWord(type: TaggedType, text: string): Expression<SqlBool> {
  const { exists, selectFrom } = expressionBuilder<Tables, (typeof TABLES)[TaggedType]>();
  return exists(
    selectFrom("tags")
      .select("tags.key")
      .whereRef("tags.resource_id", "=", `${TABLES[type]}.id` as const)
      .where("tags.resource_type", "=", type)
      .where(({ or }) => or([hasWordStart("tags.key", text), hasWordStart("tags.value", text)])),
  );
}

/**
 * Changes tags. Removing an absent tag changes nothing. A resource that exceeds the limit must not get more tags.
 *
 * @throws Invalid for too many tags
 */
export async function changeTags(
  db: Database,
  { orgId, type, id }: { orgId: string; type: TaggedType; id: string },
  { set, remove }: TagChanges,
): Promise<void> {
  const removed = new Set(remove);
  const rows = Object.entries(set)
    .filter(([key]) => !removed.has(key))
    .map(([key, value]) => ({ org_id: orgId, resource_type: type, resource_id: id, key, value }));
  if (rows.length > MAX_TAGS) throw tooManyTags();
  const before = await countTags(db, type, id);
  if (rows.length > 0) {
    await db
      .insertInto("tags")
      .values(rows)
      .onConflict((conflict) =>
        conflict
          .columns(["resource_type", "resource_id", "key"])
          .doUpdateSet(({ ref }) => ({ value: ref("excluded.value") })),
      )
      .execute();
  }
  await db
    .deleteFrom("tags")
    .where("resource_type", "=", type)
    .where("resource_id", "=", id)
    .where("key", "in", listed(remove))
    .execute();
  const after = await countTags(db, type, id);
  if (after > MAX_TAGS && after > before) throw tooManyTags();
}

async function countTags(db: Database, type: TaggedType, id: string): Promise<number> {
  return countRows(
    db.selectFrom("tags").where("resource_type", "=", type).where("resource_id", "=", id).select(ROW_COUNT),
  );
}

function tooManyTags() {
  return invalidInput({ set_tags: `A resource may have at most ${MAX_TAGS} tags` }, { code: "tag.too_many" });
}
