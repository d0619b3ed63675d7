import { cut } from "../../github/step/neutral.ts";
import type { Cell, Summary, Table } from "../../github/step/summary.ts";
import { receiptRow } from "../receipt-input.ts";
import type { ApprovalVerdict } from "./approval.ts";
import type { Change } from "./changes.ts";
import type { CommitEvidence } from "./evidence.ts";
import type { Findings } from "./findings.ts";
import type { Query } from "./query.ts";
import type { ApprovalRecord } from "./record-approval.ts";
import { comparisonText, reviewersText } from "./words.ts";

/** Keeps the summary on one screen. */
const MAX_ROWS = 8;
const MAX_SUBJECT = 70;

const EVIDENCE: Readonly<Record<CommitEvidence["state"], string>> = {
  COMPLIANT: "compliant",
  "NON-COMPLIANT": "not compliant",
  INCOMPLETE: "incomplete",
  NONE: "no trail",
  UNKNOWN: "unknown",
};

function evidenceText({ state }: CommitEvidence): string {
  return EVIDENCE[state];
}

function changesTable(changes: readonly Change[]): Table {
  const rows = changes
    .slice(0, MAX_ROWS)
    .map(({ commit, pullRequests, evidence }) => [
      { text: commit.sha.slice(0, 8), url: commit.url },
      cut(commit.subject, MAX_SUBJECT),
      commit.username ?? nameIn(commit.author),
      pullRequestsCell(pullRequests),
      evidenceText(evidence),
    ]);
  const further = changes.length - rows.length;
  if (further > 0) rows.push(["…", `${further} more`, "", "", tally(changes.slice(MAX_ROWS))]);
  return { columns: ["Commit", "Subject", "Author", "Pull request", "Evidence"], rows, most: rows.length };
}

/** Without the email address, which would leave the subject no room. */
function nameIn(author = ""): string {
  return author.replace(/\s*<[^>]*>$/, "") || author;
}

function pullRequestsCell(pullRequests: Change["pullRequests"]): Cell {
  if (pullRequests === undefined) return "unknown";
  const [first, ...others] = pullRequests;
  if (first && others.length === 0) return { text: `#${first.number}`, url: first.url };
  return pullRequests.map(({ number }) => `#${number}`).join(", ") || "none";
}

/** `3 compliant, 1 no trail` */
function tally(changes: readonly Change[]): string {
  const counts = Map.groupBy(changes, ({ evidence }) => evidenceText(evidence));
  return [...counts].map(([text, { length }]) => `${length} ${text}`).join(", ");
}

export function querySummary(query: Query, { changes, candidateEvidence, protection }: Findings): Summary {
  const { environment, gitHubEnvironment, comparison } = query;
  const approvers: Row = ["Required reviewers", reviewersText(protection)];
  return {
    heading: `Changes from ${query.candidate.slice(0, 8)} for ${environment}`,
    rows: [
      ...rowsOf(query),
      ["Evidence of the candidate", evidenceText(candidateEvidence)],
      ...(gitHubEnvironment === undefined ? [] : [approvers]),
    ],
    tables: [changesTable(changes)],
    link: comparison.url === undefined ? undefined : { text: "Compare the commits", url: comparison.url },
  };
}

export function approvalSummary(
  query: Query,
  { verdict, recorded, trailUrl, failure, receipt }: ApprovalRecord,
): Summary {
  const place = query.gitHubEnvironment ?? query.environment;
  const proven = failure === undefined;
  return {
    heading: `${proven ? "Approved" : "Not approved"} for ${place}`,
    mark: proven ? "passed" : "failed",
    rows: [
      ...rowsOf(query),
      ["Recorded", recorded ? "yes" : "no"],
      receiptRow(receipt?.line),
      ...(failure === undefined ? [] : [["Reason", failure] as const]),
    ],
    tables: [reviewsTable(verdict)],
    link: recorded ? { text: "Open the trail", url: trailUrl } : undefined,
  };
}

type Row = readonly [string, string];

function rowsOf({ flow, environment, candidate, running, comparison }: Query): Row[] {
  const nothing = running === null ? "no known commit of this flow" : "unknown";
  return [
    ["Flow", flow],
    ["Environment", environment],
    ["Running now", running ?? nothing],
    ["Candidate", candidate],
    ["Comparison", comparisonText(comparison)],
  ];
}

function reviewsTable(verdict: ApprovalVerdict | undefined): Table {
  const reviews = verdict?.reviews ?? [];
  return {
    columns: ["Reviewer", "Decision", "Comment", "No later than"],
    rows: reviews
      .slice(0, MAX_ROWS)
      .map(({ username, state, comment, releasedAt }) => [
        verdict?.selfApproved && verdict.approvedBy.includes(username)
          ? `${username} (started the run)`
          : username,
        state,
        cut(comment, MAX_SUBJECT),
        releasedAt === undefined ? "" : timeText(releasedAt),
      ]),
  };
}

/** @param time in Unix seconds */
function timeText(time: number): string {
  return new Date(time * 1000)
    .toISOString()
    .replace("T", " ")
    .replace(/:\d\d\.\d+Z$/, " UTC");
}
