import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import type { PageRequest } from "../page.ts";
import { facts } from "../parts/blocks.ts";
import { digest, firstLine, type Html, html, plainList, safeLink, text } from "../parts/html.ts";
import { signature } from "../parts/records.ts";
import { addressCell, digestCell, type Table, table, timeCell, wordCell } from "../parts/table.ts";
import { time } from "../parts/time.ts";
import { counted } from "../parts/words.ts";
import type { ShowKind } from "./kind.ts";

type PullRequest = NonNullable<AttestationRecord["pullRequests"]>[number];
type Commit = NonNullable<PullRequest["commits"]>[number];

interface Approval {
  readonly name: string;
  readonly state?: string | null | undefined;
  readonly at?: number | null | undefined;
}

export const pullRequests: ShowKind = ({ pullRequests: all, userData }, request) => {
  const found = all ?? [];
  return {
    sentence: found.length === 0 ? "no pull request was found" : found.map(summaryOf).join("; "),
    tables: [
      table(request, {
        id: "pull-requests",
        caption: "Pull requests",
        columns: {
          "Pull request": ({ url, title }) => addressCell(url, title ?? undefined),
          State: ({ state }) => state,
          Author: ({ author }) => author,
          "Approved by": (each) => approversCell(approvalsOf(each)),
          Merged: ({ mergedAt }) => (mergedAt ? timeCell(mergedAt) : null),
          "Merge commit": ({ mergeCommit }) => digestCell(mergeCommit),
        },
        rows: found,
        empty: "No pull requests recorded.",
      }),
      ...(found.some(({ commits }) => commits?.length) ? [commitTable(found, request)] : []),
    ],
    more: reviewFacts(userData),
  };
};

/** The facts that `attest` records about the review in user data, which may have any shape. */
function reviewFacts(userData: unknown): Html {
  const { review } = Object(userData);
  const { four_eyes, four_eyes_missing, written_with_agents, agents } = Object(review);
  return facts([
    ["Four eyes", answer(four_eyes, four_eyes_missing)],
    ["Written with agents", answer(written_with_agents, agents)],
  ]);
}

function answer(value: unknown, reasons: unknown): Html | undefined {
  if (typeof value !== "boolean") return undefined;
  const listed = Array.isArray(reasons) ? reasons.filter((each) => typeof each === "string") : [];
  const word = value ? "yes" : "no";
  return text(listed.length === 0 ? word : `${word}: ${listed.join("; ")}`);
}

function commitTable(found: readonly PullRequest[], request: PageRequest): Table {
  return table<Commit>(request, {
    id: "commits",
    caption: "Commits",
    columns: {
      Commit: ({ sha1, url }) => ({
        html: html`${sha1 ? digest(sha1) : ""} ${safeLink(url, "View")}`,
        csv: sha1,
      }),
      Message: ({ message }) => ({ html: text(firstLine(message)), csv: message }),
      Author: ({ author }) => author,
      Signature: (each) => wordCell(signature(each.verified)),
      Committed: ({ timestamp }) => (timestamp ? timeCell(timestamp) : null),
    },
    rows: found.flatMap(({ commits }) => commits ?? []),
    empty: "",
  });
}

function approversCell(approvals: readonly Approval[]) {
  const names = approvals.map(({ name }) => name);
  return { html: plainList(approvals.map(approvalHtml)), csv: names.join(" ") };
}

function approvalHtml({ name, state, at }: Approval): Html {
  return html`${text(name)}${state ? html`, ${text(state)}` : ""}${at ? html` ${time(at)}` : ""}`;
}

function summaryOf(request: PullRequest): string {
  const approvers = approvalsOf(request);
  const own = approvers.some(({ name }) => name === request.author);
  const approved =
    approvers.length === 0
      ? "no approvals"
      : `${counted(approvers.length, "approver")}, ${own ? "one is the author" : "none is the author"}`;
  return `${(request.state ?? "unknown").toLowerCase()}, ${approved}`;
}

function approvalsOf({ approvers }: PullRequest): Approval[] {
  return (approvers ?? []).flatMap((each) => {
    if (typeof each === "string") return [{ name: each }];
    const { username, state, timestamp } = each;
    return username ? [{ name: username, state, at: timestamp }] : [];
  });
}
