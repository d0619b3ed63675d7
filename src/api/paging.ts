import * as z from "zod/mini";
import { shortText } from "./texts.ts";

/** The most items of a page, where the interface sets no other bound. */
export const MAX_PER_PAGE = 100;

/** Pages count from 1. One past the last is empty. */
export const pageNumber = z.int().check(z.minimum(1));
/** Of lists whose items are long. */
export const fewItemsPerPage = z.int().check(z.minimum(1), z.maximum(50));
export const itemsPerPage = z.int().check(z.minimum(1), z.maximum(MAX_PER_PAGE));

/** For lists that the interface does not bound: more than the most is cut to it. */
export const anyItemsPerPage = z.int().check(z.minimum(1));

/** The header of an answer that holds fewer items per page than the request asked for: how many. */
export const PER_PAGE_LIMIT_HEADER = "X-Per-Page-Limit";

/** Asks for a page by its number. */
export const pageOf = (perPage: typeof itemsPerPage, fallback: number) => ({
  page: z._default(pageNumber, 1),
  per_page: z._default(perPage, fallback),
});

/** Where a page of a named list stands among all. */
export const pageFields = {
  _links: z.nullish(z.record(z.string(), z.unknown())),
  page: z.int(),
  per_page: z.int(),
  total_pages: z.int(),
  total_count: z.int(),
};

/** Where a page stands among all. */
export const pagination = z.object({
  total: z.int(),
  page: z.int(),
  per_page: z.int(),
  page_count: z.int(),
});

/** Asks for a page of a list that is read from cursor to cursor. */
export const cursorPaging = {
  /** Where the page before ended: `_links.next.after` of its answer. */
  after: z.optional(shortText),
  per_page: z._default(itemsPerPage, 20),
};

/** Where such a page stands. */
export const cursorLinks = z.nullish(
  z.looseObject({
    /** Absent on the last page. */
    next: z.nullish(z.looseObject({ href: z.optional(z.string()), after: z.optional(z.string()) })),
  }),
);
