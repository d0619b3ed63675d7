import { asCommitSha } from "../api/commit-facts.ts";
import { type Clone, git } from "./git.ts";

interface LocalCommit {
  readonly sha: string;
  readonly author: string;
  /** Unix seconds. */
  readonly timestamp: number;
  readonly subject: string;
}

export interface LocalHistory {
  /** Number of commits that only the head has. */
  readonly aheadBy: number;
  /** Number of commits that only the base has. */
  readonly behindBy: number;
  /** Commits that only the head has, oldest first; the newest ones if there are more than the limit. */
  readonly commits: readonly LocalCommit[];
}

/** SHA, author, Unix time and subject of each commit. None can contain NUL. */
const FORMAT = "%H%x00%an%x00%at%x00%s%x00";

/**
 * Compares two commits by the history of the clone in the workspace. Undefined unless the clone has both with their
 * whole history: in a shallow clone, a descendant could appear unrelated.
 */
export async function readLocalHistory(
  question: Clone & { readonly base: string; readonly head: string; readonly limit: number },
): Promise<LocalHistory | undefined> {
  const base = asCommitSha(question.base);
  const head = asCommitSha(question.head);
  if (base === undefined || head === undefined) return undefined;
  const shallow = await git(question, ["rev-parse", "--is-shallow-repository"]);
  if (shallow?.toString().trim() !== "false") return undefined;
  const counts = await git(question, ["rev-list", "--left-right", "--count", `${base}...${head}`]);
  const [behindBy, aheadBy] = (counts?.toString().trim().split("\t") ?? []).map(Number);
  if (behindBy === undefined || aheadBy === undefined) return undefined;
  // The plumbing command of `git log`: the clone's configuration cannot make it run a program to check signatures.
  const options = [`--max-count=${question.limit}`, "--reverse", "--encoding=UTF-8", `--format=${FORMAT}`];
  const listed = await git(question, ["rev-list", ...options, `${base}..${head}`]);
  if (listed === undefined) return undefined;
  return { aheadBy, behindBy, commits: parseCommits(listed.toString()) };
}

function parseCommits(listed: string): LocalCommit[] {
  const values = listed.split("\0");
  const commits: LocalCommit[] = [];
  for (let at = 0; at + 4 < values.length; at += 4) {
    const [sha = "", author = "", timestamp = "", subject = ""] = values.slice(at, at + 4);
    // The line `commit SHA` precedes it, which older releases of git cannot omit.
    commits.push({ sha: sha.slice(-40), author, timestamp: Number(timestamp), subject });
  }
  return commits;
}
