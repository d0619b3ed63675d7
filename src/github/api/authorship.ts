import type { CommitRecord } from "../event/commit-record.ts";
import type { Person } from "./pull-request.ts";

/** The author and the committer. */
export function peopleOf({ commit, author, committer }: CommitRecord): Person[] {
  const people: Person[] = [
    { username: author?.login, email: commit?.author?.email, ...(author?.type === "Bot" && { bot: true }) },
    { username: committer?.login, email: commit?.committer?.email },
  ];
  return people.filter(({ username, email }) => username !== undefined || email !== undefined);
}

/** The people in `Co-authored-by: Name <email>` lines. */
export function coAuthors(message = ""): Person[] {
  return [...message.matchAll(/^co-authored-by:([^<\n]*)<([^>\n]+)>[ \t\r]*$/gim)].map(
    ([, name = "", email = ""]) => ({ name: name.trim(), email }),
  );
}

/** Everything that identifies people, in lower case: accounts, email addresses and names. */
export function identitiesOf(people: readonly Person[]): ReadonlySet<string> {
  const known = people.flatMap(({ username, email, name }) => [
    username,
    email,
    name,
    ...accountsOfHidden(email),
  ]);
  return new Set(known.flatMap((each) => each?.trim().toLowerCase() || []));
}

/**
 * The account in a private email address: `1234+ada@users.noreply.github.com`, `1234-ada@users.noreply.gitlab.com`. An
 * account at GitHub may begin with digits and a hyphen as well.
 */
function accountsOfHidden(email = ""): string[] {
  const [, account = ""] = /^([^@]+)@users\.noreply\./i.exec(email) ?? [];
  return [account.replace(/^\d+\+/, ""), account.replace(/^\d+-/, "")];
}
