import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { pager } from "./pager.ts";

/** The links of an answer that lists by cursor. */
interface CursorLinks {
  readonly next?: { readonly after?: string | null | undefined } | null | undefined;
}

/** The cursor that the address names, as operations take it. */
export function cursorIn(query: URLSearchParams): { after?: string } {
  const after = query.get("after");
  return after === null || after === "" ? {} : { after };
}

/** Leads to the first page of a list, and to the next. */
export function cursorPager(
  links: CursorLinks | null | undefined,
  { here, query }: Pick<PageRequest, "here" | "query">,
): Html {
  const after = links?.next?.after;
  return pager({
    previous: query.has("after") ? here({ after: undefined }) : undefined,
    next: after ? here({ after }) : undefined,
  });
}
