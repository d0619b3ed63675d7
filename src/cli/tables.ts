import { LATEST_TIME } from "../api/times.ts";
import { columns } from "./layout.ts";
import type { Terminal } from "./usage.ts";

type Row = Readonly<Record<string, unknown>>;

/** Fields beside the list in a page of a list. */
const PAGE_FIELDS = ["_links", "_embedded", "pagination", "page", "per_page", "total_pages", "total_count"];

/** Prints a response as a table: the rows of a list without nested fields, else the fields of one record. */
export function printTable(body: unknown, { print, note }: Terminal): void {
  const [list, page] = listIn(body);
  if (list !== undefined) print(rowTable(list));
  else if (isRow(body))
    print(columns(Object.entries(body).map(([name, value]) => [name, cell(value, name)])));
  else print(cell(body));
  const shown = Object.entries(page).filter(([, value]) => value !== undefined && !isNested(value));
  if (shown.length > 0) note(shown.map(([name, value]) => `${name}: ${value}`).join(", "));
}

/** The list that a response is, and the fields of its page. */
function listIn(body: unknown): [rows: readonly Row[] | undefined, page: Row] {
  if (isRows(body) || !isRow(body)) return [isRows(body) ? body : undefined, {}];
  const [[name = "", list] = [], ...others] = Object.entries(body).filter(
    ([field]) => !PAGE_FIELDS.includes(field),
  );
  if (others.length > 0 || !isRows(list)) return [undefined, {}];
  const after: unknown = Object(Object(body["_links"]).next).after;
  return [list, { ...body, [name]: undefined, ...Object(body["pagination"]), after }];
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.every(isRow);
}

/** An object, or a list with objects. */
function isNested(value: unknown): boolean {
  return isRow(value) || (Array.isArray(value) && value.some((each) => typeof each === "object"));
}

/** Names of fields with times in Unix seconds. */
const TIME = /(_at|_since|_until|timestamp)$/i;

function cell(value: unknown, name = ""): string {
  const shown = TIME.test(name) ? [value].flat().map(timeText) : [value ?? ""].flat();
  const text = isNested(value) ? JSON.stringify(value) : shown.join(", ");
  return text.replaceAll(/\s+/g, " ");
}

/** Unix seconds as `2027-01-31T12:00:00Z`; any other value unchanged. */
function timeText(value: unknown): unknown {
  if (typeof value !== "number" || !(value >= 0 && value <= LATEST_TIME)) return value;
  return new Date(value * 1000).toISOString().replace(/\.\d+/, "");
}

function rowTable(rows: readonly Row[]): string {
  const names = [...new Set(rows.flatMap(Object.keys))].filter(
    (name) => !rows.some((row) => isNested(row[name])),
  );
  const heading = names.map((name) => name.toUpperCase());
  return columns([heading, ...rows.map((row) => names.map((name) => cell(row[name], name)))]);
}
