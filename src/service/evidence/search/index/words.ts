import { hash } from "node:crypto";
import { foldCase } from "../../../kernel/fold-case.ts";
import type { SearchText } from "./texts.ts";

/** Letters and digits, with the marks that join them in names: `feature/PAY-123`, `1.2.3`. */
const CHUNK = /[\p{L}\p{N}\p{So}]+(?:[-._/#@:+~]+[\p{L}\p{N}\p{So}]+)*/gu;
const PART = /[\p{L}\p{N}\p{So}]+/gu;
/** A number of a pull request or issue: `#596`. */
const NUMBER = /(?<![\p{L}\p{N}])#(\d{1,10})(?![\p{L}\p{N}])/gu;

/** In UTF-16 units. A fingerprint has 64. */
const MAX_WORD = 64;
/** PostgreSQL limits the words of a row to 1 MB. */
const MAX_WORDS_LENGTH = 200_000;

/** A text without the differences that people do not remember: letter case, accents and widths. */
function foldText(text: string): string {
  return foldCase(text.normalize("NFKD").replace(/\p{M}+/gu, ""));
}

/** The chunks of a text: `Fix PAY-123 (#596)` has `FIX`, `PAY-123` and `596`. */
export function chunksOf(text: string): string[] {
  return (foldText(text).match(CHUNK) ?? []).map(shortened);
}

export function numbersOf(text: string): string[] {
  return Array.from(text.matchAll(NUMBER), ([, number = ""]) => number);
}

/** Each chunk from each of its parts on, so that a search for the start of a word finds every part: `PAY-123`, `123`. */
export function wordsOf(text: string): string[] {
  return (foldText(text).match(CHUNK) ?? []).flatMap((chunk) =>
    Array.from(chunk.matchAll(PART), ({ index }) => shortened(chunk.slice(index))),
  );
}

/** The letters and digits of a text, to find a phrase regardless of its punctuation: ` FIX PAY 123 `. */
export function partsOf(text: string): string {
  return ` ${(foldText(text).match(PART) ?? []).join(" ")} `;
}

/** A text as one word. */
function asWord(text: string): string {
  return chunksOf(text).join("_").slice(0, MAX_WORD).toWellFormed();
}

function shortened(word: string): string {
  return word.slice(0, MAX_WORD).toWellFormed();
}

/** The words of the index begin with a short digest of their organization, so that one does not slow down another. */
export interface IndexWords {
  /** A word that every document has. */
  readonly every: string;
  readonly text: (word: string) => string;
  readonly number: (number: string) => string;
  readonly author: (word: string) => string;
  readonly branch: (branch: string) => string;
  readonly issue: (key: string) => string;
  readonly flow: (flowId: string) => string;
}

export function indexWords(orgId: string): IndexWords {
  const org = hash("sha256", orgId).slice(0, 6);
  return {
    every: `${org}:every`,
    text: (word) => `${org}=${word}`,
    number: (number) => `${org}:#${number}`,
    author: (word) => `${org}:author=${word}`,
    branch: (branch) => `${org}:branch=${asWord(branch)}`,
    issue: (key) => `${org}:issue=${asWord(key)}`,
    flow: (flowId) => `${org}:flow=${flowId}`,
  };
}

/** The distinct words of a document, sorted, as they are stored. */
export function storedWords(
  { orgId, flowId }: { orgId: string; flowId: string },
  texts: readonly SearchText[],
): string {
  const index = indexWords(orgId);
  const words = new Set([index.every, index.flow(flowId)]);
  for (const [field, text] of texts) {
    const own = wordsOf(text);
    for (const word of own) words.add(index.text(word));
    for (const number of numbersOf(text)) words.add(index.number(number));
    if (field === "author") for (const word of own) words.add(index.author(word));
    if (field === "branch") words.add(index.branch(text));
    if (field === "issue") words.add(index.issue(text));
  }
  const all = [...words].sort().join(" ");
  return all.length <= MAX_WORDS_LENGTH ? all : all.slice(0, all.lastIndexOf(" ", MAX_WORDS_LENGTH));
}
