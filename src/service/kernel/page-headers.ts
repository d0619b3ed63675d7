import { pageLinks } from "./page-links.ts";

interface CountedPage {
  /** How many items there are in all. */
  total: number;
  /** From 1. */
  page: number;
  perPage: number;
}

/** The headers that say where a page is in its list; `Link` (RFC 8288) only when there are several pages. */
export function pageHeaders(
  { total, page, perPage }: CountedPage,
  address: (paging: { page: string; per_page: string }) => string,
): Record<string, string> {
  const totalPages = Math.ceil(total / perPage);
  const { self: _self, ...others } = pageLinks({ page, perPage, totalPages }, address);
  const link = Object.entries(others).map(([relation, { href }]) => `<${href}>; rel="${relation}"`);
  return {
    "x-total-count": String(total),
    "x-per-page": String(perPage),
    "x-current-page": String(page),
    "x-total-pages": String(totalPages),
    ...(totalPages > 1 ? { link: link.join(", ") } : {}),
  };
}
