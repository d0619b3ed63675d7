/** One page of a list. */
export interface Page {
  /** From 1. */
  page: number;
  perPage: number;
}

/** How many items come before a page. */
export function offsetOf({ page, perPage }: Page): number {
  return (page - 1) * perPage;
}

/** Where a page stands among all items. */
export function paginationOf(total: number, { page, perPage }: Page) {
  return { total, page, perPage, pageCount: Math.ceil(total / perPage) };
}
