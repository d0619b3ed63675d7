import type { PageRequest } from "../page.ts";
import { type Html, html } from "./html.ts";
import type { Sorted } from "./table.ts";

/** Rows per page. */
export const ROWS = 50;

type PageOf<Row> =
  | readonly Row[]
  | { data: readonly Row[]; pagination?: { page: number; pageCount: number } | null | undefined };

export function pageNumberIn(query: URLSearchParams): number {
  const page = Number(query.get("page") ?? "1");
  return Number.isSafeInteger(page) && page >= 1 ? page : 1;
}

function pager({ previous, next }: { previous?: string | undefined; next?: string | undefined }): Html {
  if (previous === undefined && next === undefined) return html``;
  return html`<nav class="pager" aria-label="Pages of the list">
${previous === undefined ? "" : html`<a rel="prev" href="${previous}">Previous</a>`}
${next === undefined ? "" : html`<a rel="next" href="${next}">Next</a>`}
</nav>`;
}

function numberedPager(page: number, hasMore: boolean, here: PageRequest["here"]): Html {
  return pager({
    previous: page > 1 ? here({ page: page === 2 ? undefined : page - 1 }) : undefined,
    next: hasMore ? here({ page: page + 1 }) : undefined,
  });
}

export function pagerWhile(hasMore: boolean, { query, here }: PageRequest): Html {
  return numberedPager(pageNumberIn(query), hasMore, here);
}

export function listed<Row>(answer: PageOf<Row>, request: PageRequest) {
  if (!("data" in answer)) return { rows: answer, pager: pager({}) };
  const { page = 1, pageCount = 1 } = answer.pagination ?? {};
  return { rows: answer.data, pager: pagerOf({ page, totalPages: pageCount }, request) };
}

/** The pager of a response that has its page numbers beside the list. */
export function pagerOf(
  { page, totalPages }: { readonly page: number; readonly totalPages: number },
  { here }: PageRequest,
): Html {
  return numberedPager(page, page < totalPages, here);
}

/** The pager of a response that also has its counts: `1–50 of 94`. */
export function countedPager(
  {
    page,
    perPage,
    totalPages,
    totalCount,
  }: {
    readonly page: number;
    readonly perPage: number;
    readonly totalPages: number;
    readonly totalCount: number;
  },
  { here }: PageRequest,
): Html {
  if (totalCount === 0) return html``;
  const first = (page - 1) * perPage + 1;
  const last = Math.min(page * perPage, totalCount);
  if (first > totalCount) {
    return html`<p>This page is beyond the end. <a href="${here({ page: totalPages })}">Last page</a></p>`;
  }
  return html`<p class="quiet">${first}–${last} of ${totalCount}</p>${numberedPager(page, page < totalPages, here)}`;
}

export function cursorIn(query: URLSearchParams): { after?: string } {
  const after = query.get("after");
  return after === null || after === "" ? {} : { after };
}

interface CursorLinks {
  readonly next?: { readonly after?: string | null | undefined } | null | undefined;
}

export function cursorPager(links: CursorLinks | null | undefined, { here, query }: PageRequest): Html {
  const after = links?.next?.after;
  return pager({
    previous: query.has("after") ? here({ after: undefined }) : undefined,
    next: after ? here({ after }) : undefined,
  });
}

/** @param keys the sort keys, the default first */
export function sortingIn<Key extends string>(
  [usual, ...others]: readonly [Key, ...Key[]],
  { query, here }: PageRequest,
) {
  const sort = others.find((key) => key === query.get("sort")) ?? usual;
  const sortDirection: "asc" | "desc" = query.get("direction") === "desc" ? "desc" : "asc";
  return {
    sort,
    sortDirection,
    by(key: Key): Sorted {
      const isThis = key === sort;
      const reversed = isThis && sortDirection === "asc" ? "desc" : undefined;
      return {
        direction: isThis ? (sortDirection === "asc" ? "ascending" : "descending") : undefined,
        href: here({ sort: key === usual ? undefined : key, direction: reversed, page: undefined }),
      };
    },
  };
}
