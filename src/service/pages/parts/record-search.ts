import type { PageRequest } from "../page.ts";
import { pageNumberIn, ROWS } from "./lists.ts";
import { type AnyPeriod, dayOf } from "./period.ts";
import { DAY } from "./time.ts";

/* Lists of trails and artifacts with filters that only the search has. */

/** States of trails and artifacts, with their labels. */
export const STATES = [
  ["COMPLIANT", "Compliant"],
  ["NON-COMPLIANT", "Non-compliant"],
  ["INCOMPLETE", "Incomplete"],
] as const;

const QUALIFIED = { COMPLIANT: "compliant", "NON-COMPLIANT": "failing", INCOMPLETE: "incomplete" } as const;

/** Empty texts have no effect. */
export interface RecordFilter {
  readonly flow: string;
  readonly state: keyof typeof QUALIFIED | "";
  readonly branch: string;
  readonly author: string;
  /** Environment in which an artifact runs. */
  readonly env?: string;
  readonly text: string;
  readonly period: AnyPeriod;
}

/** The request that searches for a page of records. */
export function searchFor(kind: "trail" | "artifact", wanted: RecordFilter, { query }: PageRequest) {
  const { flow, state, branch, author, env = "", text, period } = wanted;
  // A day is the shortest time of a search.
  const day = (seconds: number | undefined) => (seconds === undefined ? "" : dayOf(seconds));
  const qualifiers = [
    ["flow", flow],
    ["is", state === "" ? "" : QUALIFIED[state]],
    ["branch", branch],
    ["author", author],
    ["env", env],
    ["after", day(period.start)],
    ["before", day(period.end === undefined ? undefined : period.end + DAY - 1)],
  ] as const;
  const written = qualifiers.flatMap(([name, value]) =>
    value === "" ? [] : [`${name}:"${value.replaceAll('"', " ")}"`],
  );
  return { q: [...written, text].join(" ").trim(), kind, page: pageNumberIn(query), perPage: ROWS };
}
