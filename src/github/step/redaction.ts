import { REDACTED } from "../../api/client/hiding.ts";

/** Facts that a user can omit from the record. `author` covers the name, the email address and the account. */
export type Redaction = "author" | "message" | "branch";

/** A branch without its fork's owner, who often is the author. Branch names contain no colon. */
export function withoutOwner(branch: string): string {
  return branch.replace(/[^:]*:/, `${REDACTED}:`);
}

/** A commit message without lines that name authors: `Signed-off-by: Ada <ada@example.com>`. */
export function withoutAuthors(message: string): string {
  return message.replace(/^[ \t]*(?:signed-off-by|co-authored-by):.*(?:\r?\n|$)/gim, "").trimEnd();
}
