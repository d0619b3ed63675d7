import type { PageRequest } from "../page.ts";
import type { Sorted } from "./table.ts";

/** How a list is sorted, as its address says. */
export interface Sorting<Key extends string> {
  readonly sort: Key;
  readonly sortDirection: "asc" | "desc";
  by(key: Key): Sorted;
}

/** @param keys what the list can be sorted by, that first by which it is sorted unless something else is asked for */
export function sortingIn<Key extends string>(
  [usual, ...others]: readonly [Key, ...Key[]],
  { query, here }: Pick<PageRequest, "query" | "here">,
): Sorting<Key> {
  const sort = others.find((key) => key === query.get("sort")) ?? usual;
  const sortDirection = query.get("direction") === "desc" ? "desc" : "asc";
  return {
    sort,
    sortDirection,
    by(key) {
      const isThis = key === sort;
      const turned = isThis && sortDirection === "asc" ? "desc" : undefined;
      return {
        direction: isThis ? (sortDirection === "asc" ? "ascending" : "descending") : undefined,
        href: here({ sort: key === usual ? undefined : key, direction: turned, page: undefined }),
      };
    },
  };
}
