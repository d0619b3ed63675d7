import { chunksOf } from "../../evidence/search/index/words.ts";
import { personName } from "../../kernel/person-name.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import type { Page, PageRequest } from "../page.ts";
import { invalidField } from "../refused-form.ts";
import { type Filter, type TextShape, textFilter } from "./filter-bar.ts";
import { html } from "./html.ts";
import { type ListPage, numberedPage, pageNumberIn, ROWS } from "./lists.ts";
import { type AnyPeriod, dayOf } from "./period.ts";
import type { ListedTrail } from "./records.ts";
import { DAY } from "./time.ts";

/* Lists of trails and artifacts with filters that only the search has. */

/** States of trails and artifacts, with their labels. */
export const STATES = [
  ["COMPLIANT", "Compliant"],
  ["NON-COMPLIANT", "Non-compliant"],
  ["INCOMPLETE", "Incomplete"],
] as const;

type State = (typeof STATES)[number][0];

/** Empty texts have no effect. */
export interface RecordFilter {
  readonly flow: string;
  readonly state: State | "";
  readonly branch: string;
  readonly author: string;
  /** Environment in which an artifact runs. */
  readonly env?: string;
  readonly text: string;
  readonly period: AnyPeriod;
}

/** A text that the search finds, which ignores punctuation. */
function searchedText(label: string, shape: TextShape): Filter<string> {
  const filter = textFilter(label, shape);
  return {
    ...filter,
    read(given) {
      const value = filter.read(given);
      if (value === "" || chunksOf(value).length > 0) return value;
      const message = `Nothing can be found by '${value.slice(0, 40)}': enter a letter or a digit`;
      throw invalidField(given.name, message);
    },
  };
}

/** Filters that the search has. Offers branches and authors of the latest trails. */
export function searchFilters(latest: readonly Pick<ListedTrail, "gitCommitInfo">[]) {
  const known = (values: readonly (string | null | undefined)[]) => [
    ...new Set(values.filter((value): value is string => Boolean(value))),
  ];
  const branches = known(latest.map(({ gitCommitInfo }) => gitCommitInfo?.branch));
  const authors = known(latest.map(({ gitCommitInfo }) => personName(gitCommitInfo?.author ?? "")));
  return {
    branch: searchedText("Branch", { known: branches, hint: "Whole name" }),
    author: searchedText("Author", { known: authors, hint: "Beginning of a name" }),
    text: searchedText("Text", { fills: "q", hint: "Beginning of each word" }),
  };
}

/** A page of records with the request that reads it. */
export interface FoundRecords<Row> {
  readonly list: ListPage<Row>;
  readonly json: NonNullable<Page["json"]>;
}

type Result = AnsweredBy<"search">["groups"][number]["results"][number];

/** A page of the records that match, newest first. */
export async function searchPage<Row>(
  kind: "trail" | "artifact",
  wanted: RecordFilter,
  toRow: (found: Result) => Row,
  request: PageRequest,
): Promise<FoundRecords<Row>> {
  const given = { q: queryOf(wanted), kind, page: pageNumberIn(request.query), perPage: ROWS };
  const { groups } = await request.call("search", given);
  const { results, total, more } = groups[0] ?? { results: [], total: 0, more: false };
  const position = { page: given.page, perPage: ROWS, total, isLeast: more };
  const list = numberedPage(results.map(toRow), position, request);
  return {
    list: total === 0 && more ? { ...list, empty: () => NONE_OF_NEWEST } : list,
    json: { operation: "search", given },
  };
}

const NONE_OF_NEWEST = html`<div class="empty"><p>None among the newest records. Choose a shorter period.</p></div>`;

export function stateOf({ state }: Result): State | undefined {
  return STATES.find(([each]) => each === state)?.[0];
}

function queryOf({ flow, state, branch, author, env = "", text, period }: RecordFilter): string {
  // A day is the shortest time of a search.
  const day = (seconds: number | undefined) => (seconds === undefined ? "" : dayOf(seconds));
  const qualifiers = [
    ["flow", flow],
    ["is", state],
    ["branch", branch],
    ["author", author],
    ["env", env],
    ["after", day(period.start)],
    ["before", day(period.end === undefined ? undefined : period.end + DAY - 1)],
  ] as const;
  const written = qualifiers.flatMap(([name, value]) =>
    value === "" ? [] : [`${name}:"${value.replaceAll('"', " ")}"`],
  );
  return [...written, withoutQualifiers(text)].join(" ").trim();
}

/** Quotes words such as `web:1.2`, because the search reads them as qualifiers. */
function withoutQualifiers(text: string): string {
  return text.replaceAll(/"[^"]*"?|[^\s"]+/g, (word) => (/^[a-z_]+:/i.test(word) ? `"${word}"` : word));
}
