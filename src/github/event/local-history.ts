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
  /** How many commits the head has that the base has not. */
  readonly aheadBy: number;
  /** How many commits the base has that the head has not. */
  readonly behindBy: number;
  /** Those of the head, oldest first; the newest ones when there are more than asked for. */
  readonly commits: readonly LocalCommit[];
}

/** Of each commit: name, author, Unix time, subject; NUL stands in none of them. */
const FORMAT = "%H%x00%an%x00%at%x00%s%x00";

/**
 * Compares two commits by the history of the clone in the workspace. Undefined when the clone does not have both of
 * them with all that came before: a shallow clone would make a descendant look like a stranger.
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
  // The plumbing of `git log`: the clone's configuration cannot make it check signatures with a program of its own.
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
    // Before it stands the line `commit SHA`, which older releases of git cannot leave out.
    commits.push({ sha: sha.slice(-40), author, timestamp: Number(timestamp), subject });
  }
  return commits;
}
