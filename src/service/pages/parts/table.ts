import { html } from "hono/html";
import { csvText } from "../../kernel/csv-text.ts";
import type { Html } from "../html.ts";

type Cell = string | number | null | undefined;

/** How a column of a list is sorted, and where it is sorted by it, or the other way around. */
export interface Sorted {
  readonly direction: "ascending" | "descending" | undefined;
  readonly href: string;
}

interface Column<Row> {
  readonly head: string;
  /** How a person sees it. */
  cell(row: Row): Html | Cell;
  /** How a spreadsheet gets it. */
  csv(row: Row): Cell;
  /** Set for numbers, which stand at the right. */
  readonly isNumber?: true;
  /** Set where the list can be sorted by it. */
  readonly sorted?: Sorted;
  /** Set for buttons: their head is for who hears the page, and a spreadsheet has none of it. */
  readonly isForActs?: true;
}

export interface TableShape<Row> {
  /** Names it on its page, and in the address of its CSV. */
  readonly id: string;
  readonly caption: string;
  /** The first says what the row is about. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Shown in place of a table without rows. */
  readonly empty: Html;
  /** The address of the page, with these values in its query. */
  here(query: Readonly<Record<string, string>>): string;
}

/** A table, as people see it and as CSV. */
export interface Table {
  readonly id: string;
  /** How many rows it has. */
  readonly count: number;
  readonly html: Html;
  csv(): string;
}

export function table<Row>({ id, caption, columns, rows, empty, here }: TableShape<Row>): Table {
  const said = columns.filter(({ isForActs }) => !isForActs);
  return {
    id,
    count: rows.length,
    html: rows.length === 0 ? empty : tableHtml({ id, caption, columns, rows, here }),
    csv: () =>
      [said.map(({ head }) => head), ...rows.map((row) => said.map(({ csv }) => csv(row)))]
        .map((line) => `${line.map(field).join(",")}\r\n`)
        .join(""),
  };
}

function tableHtml<Row>({ id, caption, columns, rows, here }: Omit<TableShape<Row>, "empty">): Html {
  return html`<section class="table" aria-labelledby="${id}-caption" tabindex="0">
<table id="${id}">
<caption id="${id}-caption">${caption} <a class="csv" href="${here({ format: "csv", table: id })}">CSV<span class="unseen"> of ${caption}</span></a></caption>
<thead><tr>${columns.map(headHtml)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>${columns.map((column, index) => cellHtml(column, row, index === 0))}</tr>
`,
  )}</tbody>
</table>
</section>`;
}

function headHtml<Row>({ head, isNumber, isForActs, sorted }: Column<Row>): Html {
  if (sorted) {
    const sort = sorted.direction === undefined ? "" : html` aria-sort="${sorted.direction}"`;
    return html`<th scope="col"${sort}><a href="${sorted.href}">${head}</a></th>`;
  }
  if (isForActs) return html`<th scope="col"><span class="unseen">${head}</span></th>`;
  return isNumber ? html`<th scope="col" class="number">${head}</th>` : html`<th scope="col">${head}</th>`;
}

function cellHtml<Row>({ cell, isNumber }: Column<Row>, row: Row, isHead: boolean): Html {
  const content = cell(row) ?? "";
  if (isHead) return html`<th scope="row">${content}</th>`;
  return isNumber ? html`<td class="number">${content}</td>` : html`<td>${content}</td>`;
}

function field(value: Cell): string {
  return typeof value === "number" ? String(value) : csvText(value ?? "");
}
