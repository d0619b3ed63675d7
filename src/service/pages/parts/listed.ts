import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { pager } from "./pager.ts";

interface Pagination {
  readonly page: number;
  readonly pageCount: number;
}

/** What an operation answers that lists in pages when it is asked to. */
type PageOf<Row> =
  | readonly Row[]
  | { readonly data: readonly Row[]; readonly pagination?: Pagination | null | undefined };

/** How many rows a page of a list shows. */
export const ROWS = 50;

/** The page of a list that the address asks for. */
export function pageNumberIn(query: URLSearchParams): number {
  const page = Number(query.get("page") ?? "1");
  return Number.isSafeInteger(page) && page >= 1 ? page : 1;
}

/** The rows of an answer, and the links to the pages before and after. */
export function listed<Row>(answer: PageOf<Row>, request: Pick<PageRequest, "here">) {
  if (!("data" in answer)) return { rows: answer, pager: pager({}) };
  const { page = 1, pageCount = 1 } = answer.pagination ?? {};
  return { rows: answer.data, pager: pagerOf({ page, totalPages: pageCount }, request) };
}

/** The links to the pages before and after, of an answer that says beside its list which page it is. */
export function pagerOf(
  { page, totalPages }: { readonly page: number; readonly totalPages: number },
  { here }: Pick<PageRequest, "here">,
): Html {
  return pager({
    previous: page > 1 ? here({ page: page === 2 ? undefined : page - 1 }) : undefined,
    next: page < totalPages ? here({ page: page + 1 }) : undefined,
  });
}
