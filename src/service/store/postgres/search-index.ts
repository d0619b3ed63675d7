import { sql } from "kysely";
import type { SearchedWords, SearchIndex } from "../search-index.ts";

const WORDS = sql`array_to_tsvector(string_to_array(words, ' '))`;

/** A GIN index of an expression, which the server maintains. Without a list of pending words, no write takes long. */
export const postgresSearchIndex: SearchIndex = {
  make: sql`create index search_documents_words on search_documents using gin (${WORDS}) with (fastupdate = off)`,
  change: () => undefined,
  fill: async () => {},
  find: (words, limit) =>
    sql`select id from search_documents where ${WORDS} @@ ${expressionOf(words)}::tsquery limit ${limit}`,
  isByAge: false,
};

function expressionOf(words: SearchedWords): string {
  return words
    .map((any) => `(${any.map(({ word, isStart }) => `'${word}'${isStart ? ":*" : ""}`).join(" | ")})`)
    .join(" & ");
}
