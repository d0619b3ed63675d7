import type { Kysely, RawBuilder } from "kysely";

/** A word of the index, or the start of one. Has no spaces, quotes or backslashes. */
export interface SearchedWord {
  readonly word: string;
  readonly isStart: boolean;
}

/** A document must have one word of each list. */
export type SearchedWords = readonly (readonly SearchedWord[])[];

/** The engine's index of the words of `search_documents`. */
export interface SearchIndex {
  readonly make: RawBuilder<unknown>;
  /** Brings the index up to date with the changed words of a document. Undefined if the engine does so. */
  change(recordId: string): RawBuilder<unknown> | undefined;
  /** Fills the index again, from all documents. */
  fill<Tables>(db: Kysely<Tables>): Promise<void>;
  /** The ids of documents with the words, up to a limit. */
  find(words: SearchedWords, limit: number): RawBuilder<{ id: number }>;
  /** Whether `find` returns the newest documents first. */
  readonly isByAge: boolean;
}
