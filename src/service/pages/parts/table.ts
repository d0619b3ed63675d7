import { csvText } from "../../kernel/csv-text.ts";
import { empty as emptyText, tags } from "./blocks.ts";
import { digest, firstLine, type Html, html, link, safeLink, text } from "./html.ts";
import { shortTime, utc } from "./time.ts";
import {
  type ApprovalState,
  approvalState,
  badge,
  complianceVerdict,
  complianceWord,
  type Tone,
  type Verdict,
  verdict,
} from "./verdict.ts";

type Value = string | number | null | undefined;

/** A cell with different values in HTML and CSV. */
interface Cell {
  readonly html: Html | string | null | undefined;
  readonly csv: Value;
}

/** The current direction of a sorted column, and the address that sorts by it or reverses it. */
export interface Sorted {
  readonly direction: "ascending" | "descending" | undefined;
  readonly href: string;
}

/** Text is escaped. */
type CellOf<Row> = (row: Row) => Cell | Html | Value;

interface Column<Row> {
  readonly cell: CellOf<Row>;
  readonly isNumber?: true;
  /** Set if the list can be sorted by this column. */
  readonly sorted?: Sorted;
  /** A column of buttons, whose header is only for screen readers. CSV omits it. */
  readonly isForForms?: true;
  /** A column that only CSV has, because another one shows it too. */
  readonly isForCsv?: true;
}

export interface TableShape<Row> {
  readonly id: string;
  readonly caption: string;
  /** By header. The first column identifies the row. */
  readonly columns: Readonly<Record<string, Column<Row> | CellOf<Row>>>;
  readonly rows: readonly Row[];
  readonly empty: string | Html;
  /** Position of the rows in the list: `1–50 of 94`. */
  readonly position?: string;
  /** Set if the first column has two lines for people, so that the others need no headers. */
  readonly isOfRows?: true;
}

export interface Table {
  readonly id: string;
  readonly count: number;
  readonly html: Html;
  csv(): string;
}

interface Addressed {
  here(query: Readonly<Record<string, string>>): string;
}

type HeadedColumn<Row> = Column<Row> & { readonly head: string };

export function table<Row>({ here }: Addressed, shape: TableShape<Row>): Table {
  const { id, rows, empty } = shape;
  const columns = Object.entries(shape.columns).map(([head, column]): HeadedColumn<Row> => {
    return { head, ...(typeof column === "function" ? { cell: column } : column) };
  });
  const ofCsv = columns.filter(({ isForForms }) => !isForForms);
  const nothing = typeof empty === "string" ? emptyText(empty) : empty;
  return {
    id,
    count: rows.length,
    html:
      rows.length === 0
        ? nothing
        : tableHtml(
            { ...shape, columns: columns.filter(({ isForCsv }) => !isForCsv) },
            here({ format: "csv", table: id }),
          ),
    csv: () =>
      [ofCsv.map(({ head }) => head), ...rows.map((row) => ofCsv.map((column) => csvOf(column, row)))]
        .map((line) => `${line.map(field).join(",")}\r\n`)
        .join(""),
  };
}

interface Headed<Row> extends Omit<TableShape<Row>, "columns"> {
  readonly columns: readonly HeadedColumn<Row>[];
}

function tableHtml<Row>(
  { id, caption, position = "", columns, rows, isOfRows }: Headed<Row>,
  csvHref: string,
): Html {
  return html`<section class="${isOfRows ? "table rows" : "table"}" aria-labelledby="${id}-caption" tabindex="0">
<table id="${id}">
<caption><span id="${id}-caption">${caption}</span>${position === "" ? "" : html` <span class="position">${position}</span>`} <a class="csv" href="${csvHref}">CSV<span class="unseen"> of ${caption}</span></a></caption>
<thead><tr>${columns.map(headHtml)}</tr></thead>
<tbody>${rows.map(
    (
      row,
    ) => html`<tr>${columns.map((column, index) => cellHtml(column, row, { isFirst: index === 0, isOfRows }))}</tr>
`,
  )}</tbody>
</table>
</section>`;
}

function headHtml<Row>({ head, isNumber, isForForms, sorted }: HeadedColumn<Row>): Html {
  if (sorted) {
    const sort = sorted.direction === undefined ? "" : html` aria-sort="${sorted.direction}"`;
    return html`<th scope="col"${isNumber ? html` class="number"` : ""}${sort}><a class="sort" href="${sorted.href}">${head}</a></th>`;
  }
  if (isForForms) return html`<th scope="col"><span class="unseen">${head}</span></th>`;
  return isNumber ? html`<th scope="col" class="number">${head}</th>` : html`<th scope="col">${head}</th>`;
}

interface Place {
  readonly isFirst: boolean;
  readonly isOfRows: true | undefined;
}

function cellHtml<Row>(
  { head, cell, isNumber, isForForms }: HeadedColumn<Row>,
  row: Row,
  { isFirst, isOfRows }: Place,
): Html {
  const value = cell(row) ?? "";
  const shown = isCell(value)
    ? (value.html ?? "")
    : typeof value === "string" && value !== ""
      ? text(value)
      : value;
  if (isFirst) return html`<th scope="row">${shown}</th>`;
  // A narrow screen shows the header beside each value.
  const label = isOfRows || isForForms ? "" : html` data-head="${head}"`;
  return isNumber ? html`<td class="number"${label}>${shown}</td>` : html`<td${label}>${shown}</td>`;
}

function csvOf<Row>({ cell }: Column<Row>, row: Row): Value {
  const value = cell(row);
  if (isCell(value)) return value.csv;
  return typeof value === "string" || typeof value === "number" ? value : null;
}

function isCell(value: unknown): value is Cell {
  return typeof value === "object" && value !== null && "csv" in value;
}

function field(value: Value): string {
  return typeof value === "number" ? String(value) : csvText(value ?? "");
}

/** A word of this service, which needs no isolated direction. */
export function wordCell(word: string): Cell {
  return { html: word, csv: word };
}

export function linkCell(href: string, name: string): Cell {
  return { html: link(href, name), csv: name };
}

/** An address from the data. */
export function addressCell(address: string | null | undefined, name?: string): Cell {
  return { html: safeLink(address, name), csv: address };
}

/** A time in Unix seconds; `never` if it is missing. */
export function timeCell(seconds: number | null | undefined): Cell {
  return { html: shortTime(seconds), csv: seconds ? utc(seconds) : null };
}

/** A commit with the first line of its message. CSV has only the SHA. */
export function commitCell(sha1: string | null | undefined, message: string | null | undefined): Cell | null {
  return sha1 ? { html: html`${digest(sha1)} ${text(firstLine(message))}`, csv: sha1 } : null;
}

export function digestCell(value: string | null | undefined): Cell | null {
  return value ? { html: digest(value), csv: value } : null;
}

/** The type of a required attestation, `*` for any. */
export function typeCell(type: string | null | undefined): Cell {
  return { html: type === "*" ? "any" : text(type), csv: type };
}

export function verdictCell(word: Verdict): Cell {
  return { html: verdict(word), csv: word };
}

export function complianceCell(isCompliant: boolean | null | undefined): Cell {
  return { html: complianceVerdict(isCompliant), csv: complianceWord(isCompliant) };
}

export function approvalCell(state: ApprovalState): Cell {
  return { html: approvalState(state), csv: state };
}

export function badgeCell(word: string, tone: Tone): Cell {
  return { html: badge(word, tone), csv: word };
}

/** Tags. CSV has only their keys. */
export function tagsCell(pairs: Readonly<Record<string, unknown>> | null | undefined): Cell {
  return { html: tags(pairs) ?? "", csv: Object.keys(pairs ?? {}).join(" ") };
}
