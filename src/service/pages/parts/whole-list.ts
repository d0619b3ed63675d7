import type { PageRequest } from "../page.ts";
import { filterBar, textFilter } from "./filter-bar.ts";
import { type Html, html } from "./html.ts";
import { type ListPage, pageOfWhole, type Sorting, sortedBy, sortingIn } from "./lists.ts";

interface WholeShape<Row, Key extends string> {
  /** Plural of the rows: `policies`. */
  readonly things: string;
  /** Texts of a row that the filter searches. */
  texts(row: Row): readonly (string | null | undefined)[];
  /** Values by sort key, the default first. */
  readonly sorts: Readonly<Record<Key, (row: Row) => string | number | null | undefined>>;
}

interface WholeList<Row, Key extends string> extends ListPage<Row> {
  /** The filter; nothing if there are no rows to filter. */
  readonly bar: Html;
  readonly sorting: Sorting<Key>;
}

/** A page of a list that its operation returns as a whole. A text filters it. */
export function wholeList<Row, Key extends string>(
  all: readonly Row[],
  { things, texts, sorts }: WholeShape<Row, Key>,
  request: PageRequest,
): WholeList<Row, Key> {
  // The record has each key once, and at least one.
  const keys = Object.keys(sorts) as [Key, ...Key[]];
  const sorting = sortingIn(keys, request);
  const bar = filterBar(`Filter ${things}`, { text: textFilter("Text", { hint: "Any part" }) }, request);
  const wanted = (request.query.get("text") ?? "").trim().toLowerCase();
  const matching = all.filter((row) => texts(row).some((each) => each?.toLowerCase().includes(wanted)));
  const list = pageOfWhole(sortedBy(matching, sorting, sorts), request);
  return {
    ...list,
    sorting,
    bar: all.length === 0 ? html`` : bar.html,
    empty: (usual) => list.empty(bar.empty(things, usual)),
  };
}
