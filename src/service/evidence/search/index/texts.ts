import { resultsIn } from "../../../judging/facts.ts";
import { fieldsIn } from "../../../kernel/json-column.ts";

/** The meaning of a text. */
type SearchField =
  | "trail"
  | "subject"
  | "commit"
  | "author"
  | "branch"
  | "issue"
  | "pull request"
  | "artifact"
  | "fingerprint";

export type SearchText = readonly [field: SearchField, text: string];

/** In characters. Longer lines are cut. */
const MAX_TEXT = 300;
/** The part of a message in which keys of issues are found. */
const MAX_MESSAGE = 10_000;
/** Per attestation. */
const MAX_COMMITS = 250;
const MAX_LISTED = 50;

/** Messages contain many words in capital letters, and branches few. */
const KEY_IN_MESSAGE = /\b[A-Z][A-Z0-9_]+-[1-9]\d{0,9}\b/g;
const KEY_IN_NAME = /(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9_]+-[1-9]\d{0,9}(?![A-Za-z0-9.])/g;

export function textsOfTrail({
  name,
  git_commit_info,
}: {
  readonly name: string;
  readonly git_commit_info: string | null;
}): SearchText[] {
  return distinct([["trail", name], ...issues(name, KEY_IN_NAME), ...textsOfCommit(git_commit_info)]);
}

export interface ArtifactTexts {
  readonly filename: string;
  readonly template_name: string | null;
  readonly fingerprint: string;
  readonly commit_sha: string | null;
  /** JSON in wire names. */
  readonly git_commit_info: string | null;
}

export function textsOfArtifact(artifact: ArtifactTexts): SearchText[] {
  return distinct([
    ["artifact", artifact.filename],
    ["artifact", artifact.template_name ?? ""],
    ["fingerprint", artifact.fingerprint],
    ["commit", artifact.commit_sha ?? ""],
    ...textsOfCommit(artifact.git_commit_info),
  ]);
}

export interface AttestationTexts {
  readonly type: string;
  readonly commit_sha: string | null;
  /** JSON in wire names. */
  readonly git_commit_info: string | null;
  /** JSON in wire names. */
  readonly details: string;
}

export function textsOfAttestation(attestation: AttestationTexts): SearchText[] {
  return distinct([
    ["commit", attestation.commit_sha ?? ""],
    ...textsOfCommit(attestation.git_commit_info),
    ...textsOfResults(attestation),
  ]);
}

function textsOfResults({ type, details }: AttestationTexts): SearchText[] {
  if (!/^(system:)?(pull_request|jira)$/.test(type)) return [];
  const { pull_requests, jira_results } = resultsIn(type, fieldsIn(JSON.parse(details)));
  return [
    ...itemsOf(pull_requests).slice(0, MAX_LISTED).flatMap(textsOfPullRequest),
    ...itemsOf(jira_results)
      .slice(0, MAX_LISTED)
      .map(({ issue_id }): SearchText => ["issue", textIn(issue_id)]),
  ];
}

function textsOfPullRequest(pullRequest: Fields): SearchText[] {
  const [, number] = /(\d{1,10})\/?$/.exec(textIn(pullRequest["url"])) ?? [];
  const title = textIn(pullRequest["title"]);
  const commits = itemsOf(pullRequest["commits"]).slice(0, MAX_COMMITS);
  return [
    ["pull request", number === undefined ? title : `#${number} ${title}`],
    ["author", textIn(pullRequest["author"])],
    ["branch", textIn(pullRequest["head_ref"])],
    ...issues(title, KEY_IN_MESSAGE),
    ...issues(textIn(pullRequest["head_ref"]), KEY_IN_NAME),
    ["commit", textIn(pullRequest["merge_commit"])],
    ...commits.map(({ sha1 }): SearchText => ["commit", textIn(sha1)]),
  ];
}

/** All steps of a job send the same commit. */
const recentCommits = new Map<string, SearchText[]>();
const MAX_RECENT = 100;
const MAX_RECENT_LENGTH = 4_000;

/** @param json of the commit in wire names */
function textsOfCommit(json: string | null): readonly SearchText[] {
  if (json === null) return [];
  const known = recentCommits.get(json);
  if (known) return known;
  const texts = readCommit(json);
  if (recentCommits.size >= MAX_RECENT) recentCommits.clear();
  if (json.length <= MAX_RECENT_LENGTH) recentCommits.set(json, texts);
  return texts;
}

function readCommit(json: string): SearchText[] {
  const commit = fieldsIn(JSON.parse(json));
  const [message, branch] = [textIn(commit["message"]), textIn(commit["branch"])];
  return distinct([
    ["commit", textIn(commit["sha1"])],
    ["subject", subjectOf(message)],
    ["author", textIn(commit["author"])],
    ["author", textIn(commit["author_username"])],
    ["branch", branch],
    ...issues(message.slice(0, MAX_MESSAGE), KEY_IN_MESSAGE),
    ...issues(branch, KEY_IN_NAME),
  ]);
}

/** The first line of a commit message. */
export function subjectOf(message: string): string {
  const [line = ""] = message.trimStart().split("\n", 1);
  return line.trimEnd();
}

function issues(text: string, keys: RegExp): SearchText[] {
  return (text.match(keys) ?? []).slice(0, MAX_LISTED).map((key) => ["issue", key.toUpperCase()]);
}

type Fields = Readonly<Record<string, unknown>>;

function itemsOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.map(fieldsIn) : [];
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** Without empty and repeated texts. */
function distinct(texts: readonly SearchText[]): SearchText[] {
  const found = new Map<string, SearchText>();
  for (const [field, text] of texts) {
    const short = text.trim().slice(0, MAX_TEXT).toWellFormed();
    if (short !== "") found.set(`${field} ${short}`, [field, short]);
  }
  return [...found.values()];
}
