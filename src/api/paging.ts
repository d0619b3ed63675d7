import * as z from "zod/mini";

/** The most items of a page, where the interface sets no other bound. */
export const MAX_PER_PAGE = 100;

/** Pages count from 1. One past the last is empty. */
export const pageNumber = z.int().check(z.minimum(1));
export const itemsPerPage = z.int().check(z.minimum(1), z.maximum(MAX_PER_PAGE));

/** Where a page stands among all. */
export const pagination = z.object({
  total: z.int(),
  page: z.int(),
  per_page: z.int(),
  page_count: z.int(),
});
