import * as z from "zod/mini";
import { type CommitFacts, signature, unixSeconds } from "../api/commit-facts.ts";
import { flag, list, part, text } from "../api/lenient.ts";

const person = part({ name: text, email: text, date: text });
const account = part({ login: text, type: text });

export const commitRecord = z.object({
  sha: text,
  html_url: text,
  commit: part({
    message: text,
    author: person,
    committer: person,
    verification: part({ verified: flag, reason: text }),
  }),
  /** Null for an email address without an account; the committer as well. */
  author: account,
  committer: account,
  parents: list(z.object({ sha: z.string() })),
});

export type CommitRecord = z.infer<typeof commitRecord>;

export function factsOfRecord({ commit, author: writer, parents }: CommitRecord): CommitFacts {
  const { message, author, verification } = commit ?? {};
  return {
    message,
    author: signature(author?.name, author?.email),
    authorUsername: writer?.login,
    timestamp: unixSeconds(author?.date),
    parents: parents?.map((parent) => parent.sha),
    verified: verification?.verified,
    signatureState: verification?.reason && signatureState(verification.reason),
  };
}

/** REST API reasons that differ from the GraphQL API's `GitSignatureState` names in lower case. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  malformed_signature: "MALFORMED_SIG",
  unknown_signature_type: "UNKNOWN_SIG_TYPE",
};

/** GitHub's enum name for a `verification.reason`. */
function signatureState(reason: string): string {
  return OTHER_NAMES[reason] ?? reason.toUpperCase();
}
