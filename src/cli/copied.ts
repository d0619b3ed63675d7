import { sizeText } from "../service/kernel/sizes.ts";
import type { Copied } from "../service/ops/backup/copy-all.ts";
import type { Terminal } from "./usage.ts";

/** How much was copied: `1,204 rows in 35 tables and 12 attachments (3.4 MB), with 2 more that were there already`. */
export function amountOf({ records, files }: Copied): string {
  const there = files.there === 0 ? "" : `, with ${grouped(files.there)} more that were there already`;
  const rows = `${grouped(records.rows)} rows in ${records.tables} tables`;
  return `${rows} and ${attachments(files.copied)} (${sizeText(files.bytes)})${there}`;
}

/** A number of attachments in words: `1 attachment`, `1,204 attachments`. */
export function attachments(count: number): string {
  return `${grouped(count)} ${count === 1 ? "attachment" : "attachments"}`;
}

export function grouped(count: number): string {
  return count.toLocaleString("en");
}

/** Says which attachments stayed behind, as they are not what was kept. */
export function noteDamaged({ files }: Copied, { note }: Pick<Terminal, "note">): void {
  for (const { sha256, damage } of files.damaged) {
    const problem = damage === "changed" ? "was changed" : "is missing";
    note(`delivery-evidence: The attachment ${sha256} ${problem}: the copy is without it`);
  }
}
