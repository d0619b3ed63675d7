import * as z from "zod/mini";
import { asCommitSha } from "./commit-facts.ts";
import type { GitHub } from "./github-api.ts";
import { part, text } from "./lenient.ts";

const branchAnswer = z.object({ commit: part({ sha: text }) });
const comparison = z.object({ status: text });

/**
 * Checks whether a commit is in the history of a branch. A run's `head_branch` may be a tag's name, and a comparison
 * would accept a tag, so the branch itself is looked up first.
 *
 * @throws GitHubError when GitHub does not answer, or the branch does not exist
 */
export function branchHistories(github: GitHub): (branch: string, sha: string) => Promise<boolean> {
  const tips = new Map<string, Promise<string | undefined>>();
  const known = new Map<string, Promise<boolean>>();
  return async (branch, sha) => {
    if (asCommitSha(sha) === undefined) return false;
    const tip = await remembered(tips, branch, () => tipOf(github, branch));
    if (tip === undefined) return false;
    return tip === sha || remembered(known, `${tip}...${sha}`, (range) => isBehind(github, range));
  };
}

async function tipOf(github: GitHub, branch: string): Promise<string | undefined> {
  const found = await github.get({
    path: "/branches/{branch}",
    parameters: { branch },
    subject: `branch '${branch}'`,
    permission: "contents: read",
  });
  return asCommitSha(z.safeParse(branchAnswer, found).data?.commit?.sha);
}

async function isBehind(github: GitHub, basehead: string): Promise<boolean> {
  const found = await github.get({
    path: "/compare/{basehead}",
    parameters: { basehead, per_page: 1 },
    subject: "pair of commits",
    permission: "contents: read",
  });
  return ["behind", "identical"].includes(z.safeParse(comparison, found).data?.status ?? "");
}

function remembered<T>(all: Map<string, Promise<T>>, key: string, ask: (key: string) => Promise<T>) {
  const found = all.get(key) ?? ask(key);
  all.set(key, found);
  return found;
}
