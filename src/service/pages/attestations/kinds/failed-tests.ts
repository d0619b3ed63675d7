import { html } from "hono/html";
import type { AttestationRecord } from "../../../../api/resources/attestation-record.ts";
import type { PageRequest } from "../../page.ts";
import { safeLink } from "../../parts/link.ts";
import { type Table, table } from "../../parts/table.ts";
import { text } from "../../parts/text.ts";
import { sourceLink } from "./source-link.ts";

/** A failed test as the action tells it in the user's data. */
interface FailedTest {
  readonly name: string;
  readonly suite: string;
  readonly message: string;
  readonly file: string;
  readonly line: number | undefined;
}

/** The failed tests that an attestation names, each with its line in the sources; no table where it names none. */
export function failedTests(
  { userData, gitCommitInfo }: AttestationRecord,
  { here }: Pick<PageRequest, "here">,
): Table[] {
  const rows = failedIn(userData);
  if (rows.length === 0) return [];
  const failed = table<FailedTest>({
    id: "failed",
    caption: "Failed tests",
    columns: [
      { head: "Test", cell: ({ name }) => text(name), csv: ({ name }) => name },
      { head: "Suite", cell: ({ suite }) => text(suite), csv: ({ suite }) => suite },
      {
        head: "Where",
        cell: (each) => {
          const address = sourceLink(gitCommitInfo?.url, each.file, each.line);
          return address === undefined ? text(placeOf(each)) : safeLink(address, placeOf(each));
        },
        csv: placeOf,
      },
      {
        head: "What went wrong",
        cell: ({ message }) => html`<span class="text">${text(message)}</span>`,
        csv: ({ message }) => message,
      },
    ],
    rows,
    empty: html``,
    here,
  });
  return [failed];
}

/** Users may write anything there. */
function failedIn(userData: unknown): FailedTest[] {
  const { failed_tests: listed } = Object(userData);
  if (!Array.isArray(listed)) return [];
  return listed.map((each) => {
    const { name, suite, message, file, line } = Object(each);
    const word = (value: unknown) => (typeof value === "string" ? value : "");
    return {
      name: word(name),
      suite: word(suite),
      message: word(message),
      file: word(file),
      line: lineIn(line),
    };
  });
}

function lineIn(value: unknown): number | undefined {
  // Numbers of the user's data keep their digits.
  const line = Number(JSON.isRawJSON(value) ? JSON.stringify(value) : value);
  return Number.isSafeInteger(line) && line > 0 ? line : undefined;
}

function placeOf({ file, line }: FailedTest): string {
  return line === undefined ? file : `${file}:${line}`;
}
