import * as z from "zod/mini";
import { shortText } from "./texts.ts";

/** Default maximum number of items per page. */
export const MAX_PER_PAGE = 100;

/** Page number, counted from 1. A page after the last is empty. */
export const pageNumber = z.int().check(z.minimum(1));
/** Number of items per page. With 0, the response only counts them. */
export const countedItemsPerPage = z.int().check(z.minimum(0), z.maximum(50));
// For lists with large items.
export const fewItemsPerPage = z.int().check(z.minimum(1), z.maximum(50));
export const itemsPerPage = z.int().check(z.minimum(1), z.maximum(MAX_PER_PAGE));

/** Number of items per page. At most 100 are returned, even for a higher number. */
export const anyItemsPerPage = z.int().check(z.minimum(1));

/** Header of a response with fewer items per page than requested: the actual maximum. */
export const PER_PAGE_LIMIT_HEADER = "X-Per-Page-Limit";

/** Query parameters for a numbered page. */
export const pageOf = (perPage: typeof itemsPerPage, fallback: number) => ({
  page: z._default(pageNumber, 1),
  per_page: z._default(perPage, fallback),
});

/** Position of a page in a list with a name. */
export const pageFields = {
  _links: z.nullish(z.record(z.string(), z.unknown())),
  page: z.int(),
  per_page: z.int(),
  total_pages: z.int(),
  total_count: z.int(),
};

/** Position of this page among all pages. */
export const pagination = z.object({
  total: z.int(),
  page: z.int(),
  per_page: z.int(),
  page_count: z.int(),
});

/** Query parameters for a list with cursors. */
export const cursorPaging = {
  /** Cursor of the page: `_links.next.after` of the previous response. */
  after: z.optional(shortText),
  per_page: z._default(itemsPerPage, 20),
};

/** Link to the next page. */
export const cursorLinks = z.nullish(
  z.looseObject({
    /** Absent on the last page. */
    next: z.nullish(z.looseObject({ href: z.optional(z.string()), after: z.optional(z.string()) })),
  }),
);
