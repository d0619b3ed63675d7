import { cut } from "./neutral.ts";

/** Invisible characters, and those that change the text direction. */
const UNSEEN = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Untrusted text as Markdown code, for one table cell. GitHub finds mentions, references and links in all text except
 * code, even if it is escaped. A pipe would end the cell even within code, so it is replaced.
 */
export function code(text: string, length: number): string {
  const line = cut(text.toWellFormed().replace(/\s+/g, " ").trim(), length)
    .replace(UNSEEN, "\ufffd")
    .replaceAll("|", "¦");
  if (line === "") return "";
  const runs = line.match(/`+/g) ?? [];
  const fence = "`".repeat(1 + Math.max(0, ...runs.map((run) => run.length)));
  return runs.length === 0 ? `\`${line}\`` : `${fence} ${line} ${fence}`;
}
