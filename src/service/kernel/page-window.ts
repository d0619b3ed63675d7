/** A run of places, both ends among them. It is empty when the last comes before the first. */
export interface PlaceRange {
  first: number;
  last: number;
}

/** The places that a page of a range shows. Pages count from 1. */
export function pageWindow(
  { first, last }: PlaceRange,
  { page, perPage, newestFirst }: { page: number; perPage: number; newestFirst: boolean },
): PlaceRange {
  const skipped = (page - 1) * perPage;
  return newestFirst
    ? { first: Math.max(first, last - skipped - perPage + 1), last: last - skipped }
    : { first: first + skipped, last: Math.min(last, first + skipped + perPage - 1) };
}
