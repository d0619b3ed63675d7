import type { CommitRecord } from "../event/commit-record.ts";
import type { Person } from "./pull-request.ts";

/** The author, the committer and the co-authors that the message names. */
export function peopleOf({ commit, author, committer }: CommitRecord): Person[] {
  const people: Person[] = [
    { username: author?.login, email: commit?.author?.email },
    { username: committer?.login, email: commit?.committer?.email },
    ...coAuthors(commit?.message).map((email) => ({ email })),
  ];
  return people.filter(({ username, email }) => username !== undefined || email !== undefined);
}

/** The email addresses of `Co-authored-by: Name <email>` lines. */
function coAuthors(message = ""): string[] {
  return [...message.matchAll(/^co-authored-by:[^<\n]*<([^>\n]+)>[ \t\r]*$/gim)].map(
    ([, email = ""]) => email,
  );
}

/**
 * The accounts of people at GitHub, in lower case. An address with an account in one commit has it in all. Addresses
 * without an account are omitted.
 */
export function writersOf(people: readonly Person[]): ReadonlySet<string> {
  const accounts = new Map<string, string>();
  for (const { username, email } of people) {
    if (username && email) accounts.set(email.toLowerCase(), username.toLowerCase());
  }
  const usernames = people.flatMap(({ username, email = "" }) => {
    const address = email.toLowerCase();
    return username?.toLowerCase() ?? accounts.get(address) ?? accountOfHidden(address) ?? [];
  });
  return new Set(usernames);
}

/** The account in a private email address from GitHub: `1234+ada@users.noreply.github.com`. */
function accountOfHidden(email: string): string | undefined {
  return /^(?:\d+\+)?([^@+]+)@users\.noreply\./.exec(email)?.[1];
}
