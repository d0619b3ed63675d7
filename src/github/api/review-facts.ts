import { cut } from "../step/neutral.ts";
import type { Redaction } from "../step/redaction.ts";
import type { PullRequest, PullRequestCommit } from "./pull-request.ts";
import { missingApprovals } from "./required-approvals.ts";

/** Maximum number of listed agents and reasons. */
const MAX_LISTED = 20;
/** Maximum length of an agent's name, in characters. */
const MAX_NAME = 100;

/** Forms of `Name <email>` that only programs have. */
const PROGRAMS: readonly RegExp[] = [
  /\[bot\]/i,
  // People write from a private address at `users.noreply.…` instead. GitHub's own address is one of people.
  /<no-?reply@(?!github\.com>)/i,
  /<(?:\d+\+)?copilot@users\.noreply\./i,
  /<(?:amp@ampcode\.com|codex@openai\.com|cursoragent@cursor\.com|openhands@all-hands\.dev)>/i,
  // Accounts of access tokens at GitLab.
  /\b(?:project|group)_\d+_bot/i,
  // Accounts of pipelines at Azure DevOps.
  /\bBuild Service \(/,
];

/**
 * Facts about the review of pull requests, which the interface has no fields for. `four_eyes` is true if a person approved
 * a pull request that others opened and wrote.
 */
export function reviewFacts(pullRequests: readonly PullRequest[], redact: ReadonlySet<Redaction>) {
  const missing = missingApprovals(pullRequests, 1);
  const agents = agentsOf(pullRequests);
  const shownAgents = !redact.has("author") && !redact.has("message");
  return {
    four_eyes: missing.length === 0,
    ...(missing.length > 0 && !redact.has("author") && { four_eyes_missing: missing.slice(0, MAX_LISTED) }),
    written_with_agents: agents.length > 0,
    ...(shownAgents && { agents: agents.slice(0, MAX_LISTED) }),
  };
}

/** Names of the programs that opened the pull requests or took part in writing their commits. */
function agentsOf(pullRequests: readonly PullRequest[]): string[] {
  const names = pullRequests.flatMap(({ author, opener, commits }) => [
    ...(opener?.bot || isProgram(author) ? [author] : []),
    ...commits.flatMap(agentsOfCommit),
  ]);
  const shown = names.map((name) => cut(name, MAX_NAME).toWellFormed());
  return [...new Map(shown.map((name) => [name.toLowerCase(), name])).values()].sort();
}

function agentsOfCommit({ facts: { message = "", author = "" }, people: [writer] }: PullRequestCommit) {
  const written = writer?.bot || isProgram(author) ? [writer?.username ?? nameIn(author)] : [];
  return [...written, ...trailersOf(message)];
}

/** An `Assisted-by` line without an email address names a program too. */
function trailersOf(message: string): string[] {
  return [...message.matchAll(/^(assisted|co-authored)-by:(.+)$/gim)].flatMap(([, how = "", rest = ""]) => {
    const value = rest.trim();
    const isNamed = how.toLowerCase() === "assisted" && value !== "" && !value.includes("@");
    return isNamed || isProgram(value) ? [nameIn(value)] : [];
  });
}

function isProgram(identity: string): boolean {
  return PROGRAMS.some((pattern) => pattern.test(identity));
}

/** The name in `Name <email>`, or else all of it. */
function nameIn(identity: string): string {
  return identity.split("<", 1)[0]?.trim() || identity;
}
