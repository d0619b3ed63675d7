import type { AnswerOf } from "../../../api/operation.ts";
import { QUALIFIERS, type search } from "../../../api/resources/search.ts";
import { invalidInput } from "../../kernel/errors.ts";
import type { ComplianceState } from "../../store/tables.ts";
import { chunksOf } from "./index/words.ts";

type Qualifier = AnswerOf<typeof search>["qualifiers"][number];
type QualifierName = Qualifier["name"];

export interface Term {
  /** As it was written. */
  readonly text: string;
  readonly word: string;
  /** Whether it is the number of a pull request or issue: `#596`. */
  readonly isNumber: boolean;
}

export interface SearchQuery {
  readonly terms: readonly Term[];
  /** Texts in quotes. Their words are terms, too. */
  readonly phrases: readonly string[];
  readonly qualifiers: readonly Qualifier[];
  readonly state?: ComplianceState | undefined;
  /** Unix seconds. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** More words do not find less, but take longer. */
const MAX_TERMS = 20;

/** The words of the pages and their short forms. */
const STATES: ReadonlyMap<string, ComplianceState> = new Map([
  ["compliant", "COMPLIANT"],
  ["passing", "COMPLIANT"],
  ["non-compliant", "NON-COMPLIANT"],
  ["failing", "NON-COMPLIANT"],
  ["incomplete", "INCOMPLETE"],
]);

/** `name:value`, `name:"some words"`, `"some words"`, or a word. */
const TOKEN = /([A-Za-z_]+):("[^"]*"?|[^\s"]*)|"([^"]*)"?|([^\s"]+)/g;
const PULL_REQUEST = /^[^\p{L}\p{N}#]*#(\d{1,10})[^\p{L}\p{N}]*$/u;
const ISSUE = /^[A-Za-z][A-Za-z0-9_]*-\d+$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** @throws Invalid for an unknown qualifier, a value that it cannot have, too many words, or nothing to search for */
export function readQuery(q: string): SearchQuery {
  const terms: Term[] = [];
  const phrases: string[] = [];
  const texts: string[] = [];
  const qualifiers: Qualifier[] = [];
  for (const [text, name, quoted, phrase, word] of q.matchAll(TOKEN)) {
    const value = quoted?.replaceAll('"', "").trim();
    if ((phrase ?? word ?? "").trim() !== "") texts.push(text);
    if (phrase !== undefined) {
      phrases.push(phrase);
      terms.push(...termsOf(phrase));
    } else if (name === undefined || value === undefined) terms.push(...termsOf(word ?? ""));
    else if (isQualifier(name)) qualifiers.push(qualifier(name, value, text, qualifiers));
    // A web address, or the beginning of a subject such as `fix: rounding`.
    else if (value === "" || value.startsWith("//")) terms.push(...termsOf(text));
    else throw unknownQualifier(name, text);
  }
  if (terms.length > MAX_TERMS) throw invalid(`Search for at most ${MAX_TERMS} words, got ${terms.length}`);
  if (terms.length + qualifiers.length === 0)
    throw invalid("Search for at least one letter, digit or qualifier");
  if (terms.length === 0 && texts.length > 0)
    throw invalid(`Nothing can be found by '${texts.join(" ")}': enter a letter or a digit`);
  const given = (wanted: QualifierName) => qualifiers.find(({ name }) => name === wanted)?.value;
  return {
    terms,
    phrases: phrases.filter((phrase) => chunksOf(phrase).length > 0),
    qualifiers,
    state: stateOf(given("is")),
    from: startOfDay(given("after")),
    to: startOfDay(given("before")),
  };
}

function termsOf(text: string): Term[] {
  const [, number] = PULL_REQUEST.exec(text) ?? [];
  if (number !== undefined) return [{ text: `#${number}`, word: number, isNumber: true }];
  // Images and actions write fingerprints as `name@sha256:…`.
  const plain = text.replace(/^.*sha256:(?=[0-9a-f])/i, "");
  return chunksOf(plain).map((word) => ({ text: word, word, isNumber: false }));
}

function isQualifier(name: string): name is QualifierName {
  return QUALIFIERS.some((known) => known === name);
}

function qualifier(
  name: QualifierName,
  value: string,
  text: string,
  earlier: readonly Qualifier[],
): Qualifier {
  if (earlier.some((other) => other.name === name)) throw invalid(`Use the qualifier ${name} once`);
  if (name === "is" && stateOf(value) === undefined) {
    const known = [...STATES.keys()].join(", ");
    throw invalid(`The value of is: must be one of ${known}, got '${value}'`);
  }
  if (name === "jira" && !ISSUE.test(value))
    throw invalid(`The value of jira: must be the key of an issue such as PAY-123, got '${value}'`);
  if ((name === "after" || name === "before") && startOfDay(value) === undefined)
    throw invalid(`The value of ${name}: must be a date such as 2026-01-31, got '${value}'`);
  if (chunksOf(value).length === 0) throw invalid(`${name}: needs a value`);
  return { name, value, text };
}

function stateOf(word = ""): ComplianceState | undefined {
  return STATES.get(word.toLowerCase());
}

function startOfDay(date: string | undefined): number | undefined {
  if (date === undefined || !DATE.test(date)) return undefined;
  const time = Date.parse(`${date}T00:00:00Z`);
  // JavaScript takes February 31 for a day in March.
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(date) ? undefined : time / 1000;
}

function unknownQualifier(name: string, text: string) {
  const known = QUALIFIERS.map((each) => `${each}:`).join(", ");
  return invalid(`Unknown qualifier '${name}:'. Use one of ${known}, or quotes to find this text: "${text}"`);
}

function invalid(message: string) {
  return invalidInput({ q: message }, { message });
}
