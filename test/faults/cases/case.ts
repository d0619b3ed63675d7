/** One thing that can go wrong, what a user must see then, and the tests that prove it. */
export interface Case {
  /** The section of the list it is from, by number. */
  readonly section: number;
  /** `section.number`; what was added to the list has a letter in its number. */
  readonly id: string;
  readonly fault: string;
  readonly outcome: string;
  /** `file > test`, or `file > test > row` for one row of a table; the file is relative to test/. */
  readonly provenBy: readonly string[];
}

type Row = readonly [fault: string, outcome: string, ...provenBy: readonly string[]];

/** The cases of one section, numbered in their order. */
export function section(number: number, rows: readonly Row[]): readonly Case[] {
  return rows.map(([fault, outcome, ...provenBy], index) => ({
    section: number,
    id: `${number}.${index + 1}`,
    fault,
    outcome,
    provenBy,
  }));
}
