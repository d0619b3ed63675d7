import { type Kysely, sql } from "kysely";
import type { SearchedWords, SearchIndex } from "../search-index.ts";

// Our words contain these characters. All characters beyond ASCII are part of words anyway.
const TOKENIZER = "ascii tokenchars '-._/#@:+~='";

/**
 * An FTS5 table that stores no text and no positions, so it takes little space. Words of two characters are indexed as
 * starts of words, because many words begin with the same two.
 */
export const sqliteSearchIndex: SearchIndex = {
  make: sql.raw(
    `create virtual table search_index using fts5(words, content='', contentless_delete=1, detail=none,
      tokenize="${TOKENIZER}")`,
  ),
  change: (recordId) => sql`insert or replace into search_index (rowid, words)
    select id, words from search_documents where record_id = ${recordId}`,
  async fill<Tables>(db: Kysely<Tables>) {
    await sql`insert into search_index (search_index) values ('delete-all')`.execute(db);
    await sql`insert into search_index (rowid, words) select id, words from search_documents`.execute(db);
  },
  find: (
    words,
    limit,
  ) => sql`select rowid as id from search_index where search_index match ${expressionOf(words)}
    order by rowid desc limit ${limit}`,
  isByAge: true,
};

function expressionOf(words: SearchedWords): string {
  return words
    .map((any) => `(${any.map(({ word, isStart }) => `"${word}"${isStart ? "*" : ""}`).join(" OR ")})`)
    .join(" AND ");
}
