interface PagePosition {
  /** From 1. */
  page: number;
  perPage: number;
  totalPages: number;
}

/** The `_links` of a page of a list: itself, the first and last page, and its neighbours where it has them. */
export function pageLinks(
  { page, perPage, totalPages }: PagePosition,
  address: (paging: { page: string; per_page: string }) => string,
): Record<string, { href: string }> {
  const link = (to: number) => ({ href: address({ page: String(to), per_page: String(perPage) }) });
  return {
    self: link(page),
    first: link(1),
    last: link(Math.max(1, totalPages)),
    ...(page > 1 ? { prev: link(Math.min(page - 1, Math.max(1, totalPages))) } : {}),
    ...(page < totalPages ? { next: link(page + 1) } : {}),
  };
}
