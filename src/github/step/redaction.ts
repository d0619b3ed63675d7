import { REDACTED } from "../../api/client/hiding.ts";

/** What a user may keep out of the record. `author` covers the name, the e-mail address and the account. */
export type Redaction = "author" | "message" | "branch";

/** A branch without the owner of the fork that it is in, who often is the author. A branch's name holds no colon. */
export function withoutOwner(branch: string): string {
  return branch.replace(/[^:]*:/, `${REDACTED}:`);
}

/** A commit message without the lines in which authors name themselves: `Signed-off-by: Ada <ada@example.com>`. */
export function withoutAuthors(message: string): string {
  return message.replace(/^[ \t]*(?:signed-off-by|co-authored-by):.*(?:\r?\n|$)/gim, "").trimEnd();
}
