import type { PageRequest } from "../page.ts";
import { type Html, html } from "./html.ts";
import type { Sorted } from "./table.ts";

/** Rows per page. */
export const ROWS = 50;

export function pageNumberIn(query: URLSearchParams): number {
  const page = Number(query.get("page") ?? "1");
  return Number.isSafeInteger(page) && page >= 1 ? page : 1;
}

/** One page of a list. */
export interface ListPage<Row> {
  readonly rows: readonly Row[];
  /** `1–50 of 94`; empty if the position is unknown. */
  readonly count: string;
  readonly pager: Html;
  /** The text of a page without rows: `usual`, or that the page is beyond the end. */
  empty(usual: string | Html): string | Html;
}

interface Position {
  readonly page: number;
  readonly perPage: number;
  /** Number of rows on all pages. */
  readonly total?: number;
  /** Whether there may be more rows than the total. */
  readonly isLeast?: boolean;
  /** Whether there is another page. Default: what the total tells. */
  readonly hasMore?: boolean;
}

/** A page of a response that has its number. */
export function numberedPage<Row>(
  rows: readonly Row[],
  position: Position,
  { here }: Pick<PageRequest, "here">,
): ListPage<Row> {
  const { page, perPage, total, isLeast } = position;
  const hasMore = position.hasMore ?? page * perPage < (total ?? 0);
  const first = (page - 1) * perPage + 1;
  const of = total === undefined ? "" : ` of ${total}${isLeast ? " or more" : ""}`;
  const last = total === undefined ? undefined : Math.ceil(total / perPage);
  return {
    rows,
    count: rows.length === 0 ? "" : `${first}–${first + rows.length - 1}${of}`,
    pager: pager({
      // The page before may be beyond the end too.
      previous: page > 1 && rows.length > 0 ? here({ page: page === 2 ? undefined : page - 1 }) : undefined,
      next: hasMore ? here({ page: page + 1 }) : undefined,
    }),
    empty(usual) {
      if (page === 1 || last === 0) return usual;
      const isFirst = last === undefined || last === 1;
      const href = here({ page: isFirst ? undefined : last });
      return html`<div class="empty"><p>Page ${page} is beyond the end of the list.</p><p><a href="${href}">${isFirst ? "First page" : "Last page"}</a></p></div>`;
    },
  };
}

interface Pagination {
  readonly page: number;
  readonly perPage: number;
  readonly total: number;
}

/** A page of a response with `pagination`. Other responses are whole. */
export function listed<Row>(
  answer:
    | readonly Row[]
    | { readonly data: readonly Row[]; readonly pagination?: Pagination | null | undefined },
  request: PageRequest,
): ListPage<Row> {
  const rows = "data" in answer ? answer.data : answer;
  const whole = { page: 1, perPage: rows.length, total: rows.length };
  return numberedPage(rows, ("data" in answer ? answer.pagination : undefined) ?? whole, request);
}

/** A page of a response that has its position beside the list. */
export function countedPage<Row>(
  rows: readonly Row[],
  { page, perPage, totalCount: total }: { page: number; perPage: number; totalCount: number },
  request: PageRequest,
): ListPage<Row> {
  return numberedPage(rows, { page, perPage, total }, request);
}

/** A page of a list that the request read as a whole. Its CSV has all rows. */
export function pageOfWhole<Row>(
  all: readonly Row[],
  request: PageRequest,
  perPage: number = ROWS,
): ListPage<Row> {
  if (request.query.get("format") === "csv") return listed(all, request);
  const page = pageNumberIn(request.query);
  const rows = all.slice((page - 1) * perPage, page * perPage);
  return numberedPage(rows, { page, perPage, total: all.length }, request);
}

export function cursorIn(query: URLSearchParams): { after?: string } {
  const after = query.get("after");
  return after === null || after === "" ? {} : { after };
}

interface CursorLinks {
  readonly next?: { readonly after?: string | null | undefined } | null | undefined;
}

/** A page of a response that has links instead of numbers. The address of another list may have a number. */
export function cursorPage<Row>(
  rows: readonly Row[],
  links: CursorLinks | null | undefined,
  { here, query }: PageRequest,
): ListPage<Row> {
  if (pageNumberIn(query) > 1) {
    const none = html`<div class="empty"><p>The pages of this list have no numbers.</p><p><a href="${here({ page: undefined })}">First page</a></p></div>`;
    return { rows: [], count: "", pager: html``, empty: () => none };
  }
  const after = links?.next?.after;
  return {
    rows,
    count: "",
    pager: pager({
      previous: query.has("after") ? here({ after: undefined }) : undefined,
      next: after ? here({ after }) : undefined,
      isFirst: true,
    }),
    empty: (usual) => usual,
  };
}

interface PagerShape {
  readonly previous: string | undefined;
  readonly next: string | undefined;
  /** Whether the previous page is the first. */
  readonly isFirst?: true;
}

function pager({ previous, next, isFirst }: PagerShape): Html {
  if (previous === undefined && next === undefined) return html``;
  return html`<nav class="pager" aria-label="Pages of the list">
${previous === undefined ? "" : html`<a rel="prev" href="${previous}">${isFirst ? "First page" : "Previous"}</a>`}
${next === undefined ? "" : html`<a rel="next" href="${next}">Next</a>`}
</nav>`;
}

type Direction = "asc" | "desc";

export interface Sorting<Key extends string> {
  readonly sort: Key;
  readonly sortDirection: Direction;
  by(key: Key): Sorted;
}

/**
 * @param keys the sort keys, the default first
 * @param usually the direction of a key that was not chosen
 */
export function sortingIn<Key extends string>(
  [usual, ...others]: readonly [Key, ...Key[]],
  { query, here }: PageRequest,
  usually: Direction = "asc",
): Sorting<Key> {
  const sort = others.find((key) => key === query.get("sort")) ?? usual;
  const reverse = usually === "asc" ? "desc" : "asc";
  const sortDirection = query.get("direction") === reverse ? reverse : usually;
  return {
    sort,
    sortDirection,
    by(key) {
      const isThis = key === sort;
      const direction = isThis && sortDirection === usually ? reverse : undefined;
      return {
        direction: isThis ? (sortDirection === "asc" ? "ascending" : "descending") : undefined,
        href: here({ sort: key === usual ? undefined : key, direction, page: undefined }),
      };
    },
  };
}

type Sortable = string | number | null | undefined;

/** The rows in the chosen order. Rows without a value are last in either direction. */
export function sortedBy<Row, Key extends string>(
  rows: readonly Row[],
  { sort, sortDirection }: Sorting<Key>,
  values: Readonly<Record<Key, (row: Row) => Sortable>>,
): readonly Row[] {
  const sign = sortDirection === "asc" ? 1 : -1;
  const value = values[sort];
  return rows.toSorted((one, other) => {
    const [a, b] = [value(one), value(other)];
    if (a === null || a === undefined || b === null || b === undefined)
      return Number(a === null || a === undefined) - Number(b === null || b === undefined);
    return sign * (typeof a === "number" && typeof b === "number" ? a - b : compare(String(a), String(b)));
  });
}

const { compare } = new Intl.Collator("en", { numeric: true });
