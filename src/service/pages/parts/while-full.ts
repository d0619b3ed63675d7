import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { pageNumberIn, ROWS } from "./listed.ts";
import { pager } from "./pager.ts";

/**
 * The links to the pages before and after, of an answer that is a list alone: as nobody says how many pages there are,
 * a full one has another after it, which may be empty.
 */
export function whileFull(
  rows: readonly unknown[],
  { query, here }: Pick<PageRequest, "query" | "here">,
): Html {
  const page = pageNumberIn(query);
  return pager({
    previous: page > 1 ? here({ page: page === 2 ? undefined : page - 1 }) : undefined,
    next: rows.length === ROWS ? here({ page: page + 1 }) : undefined,
  });
}
