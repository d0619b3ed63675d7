import { MAX_PER_PAGE, PER_PAGE_LIMIT_HEADER } from "../../api/paging.ts";

// Pages of lists. The interface shows a page's position in three ways: an object `pagination`,
// fields beside the list, or headers.

export interface Page {
  /** From 1. */
  readonly page: number;
  readonly perPage: number;
}

export interface Slice {
  readonly limit: number;
  readonly offset: number;
}

export interface CountedPage extends Page {
  readonly total: number;
}

type Address = (paging: { page: string; per_page: string }) => string;

export function sliceOf({ page, perPage }: Page): Slice {
  return { limit: perPage, offset: (page - 1) * perPage };
}

/** A page of at most 100 items, and a header that reports the cut if the request asked for more. */
export function cutPage({ page, perPage }: Page): Page & { headers: Readonly<Record<string, string>> } {
  if (perPage <= MAX_PER_PAGE) return { page, perPage, headers: {} };
  return { page, perPage: MAX_PER_PAGE, headers: { [PER_PAGE_LIMIT_HEADER]: String(MAX_PER_PAGE) } };
}

export function fromEnd({ limit, offset }: Slice, total: number): Slice {
  const left = Math.max(0, total - offset);
  const held = Math.min(limit, left);
  return { limit: held, offset: left - held };
}

/** Consecutive numbers, both ends included. Empty if the last comes before the first. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
}

export function withinRange(
  { first, last }: NumberRange,
  { limit, offset }: Slice,
  { newestFirst }: { newestFirst: boolean },
): NumberRange {
  return newestFirst
    ? { first: Math.max(first, last - offset - limit + 1), last: last - offset }
    : { first: first + offset, last: Math.min(last, first + offset + limit - 1) };
}

export function pagination(counted: CountedPage) {
  const { total, page, perPage } = counted;
  return { total, page, perPage, pageCount: pageCount(counted) };
}

export function pageFields(counted: CountedPage, address: Address) {
  const { total, page, perPage } = counted;
  const to = addresses(counted, address);
  const _links = Object.fromEntries(Object.entries(to).map(([relation, href]) => [relation, { href }]));
  return { _links, page, perPage, totalPages: pageCount(counted), totalCount: total };
}

/** Headers with a page's position. `Link` (RFC 8288) only if there are several pages. */
export function pageHeaders(counted: CountedPage, address: Address): Record<string, string> {
  const totalPages = pageCount(counted);
  const { self: _self, ...others } = addresses(counted, address);
  const link = Object.entries(others).map(([relation, href]) => `<${href}>; rel="${relation}"`);
  return {
    "x-total-count": String(counted.total),
    "x-per-page": String(counted.perPage),
    "x-current-page": String(counted.page),
    "x-total-pages": String(totalPages),
    ...(totalPages > 1 ? { link: link.join(", ") } : {}),
  };
}

/** 0 if the request only counts. */
function pageCount({ total, perPage }: CountedPage): number {
  return perPage === 0 ? 0 : Math.ceil(total / perPage);
}

function addresses(counted: CountedPage, address: Address): { self: string } & Record<string, string> {
  const { page, perPage } = counted;
  const last = Math.max(1, pageCount(counted));
  const to = (other: number) => address({ page: String(other), per_page: String(perPage) });
  return {
    self: to(page),
    first: to(1),
    last: to(last),
    ...(page > 1 ? { prev: to(Math.min(page - 1, last)) } : {}),
    ...(page < last ? { next: to(page + 1) } : {}),
  };
}

/** Type brand that keeps the filter of one list from being used for another. Never set. */
export interface FilterOf<List extends string> {
  readonly filters?: List;
}
