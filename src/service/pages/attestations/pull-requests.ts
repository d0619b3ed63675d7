import { html } from "hono/html";
import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { digest } from "../parts/digest.ts";
import { empty } from "../parts/empty.ts";
import { firstLine } from "../parts/first-line.ts";
import { safeLink } from "../parts/link.ts";
import { type Table, table } from "../parts/table.ts";
import { text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";
import { counted, type ShowKind } from "./kind.ts";

type PullRequest = NonNullable<AttestationRecord["pullRequests"]>[number];
type Commit = NonNullable<PullRequest["commits"]>[number];

interface Approval {
  readonly name: string;
  readonly state?: string | null | undefined;
  /** Unix seconds. */
  readonly at?: number | null | undefined;
}

/** Pull requests with who approved them. */
export const pullRequests: ShowKind = ({ pullRequests: all }, { here }) => {
  const found = all ?? [];
  return {
    sentence: found.length === 0 ? "no pull request was found" : found.map(inWords).join("; "),
    tables: [
      table({
        id: "pull-requests",
        caption: "Pull requests",
        columns: [
          {
            head: "Pull request",
            cell: ({ url, title }) => safeLink(url, title ?? undefined),
            csv: ({ url }) => url,
          },
          { head: "State", cell: ({ state }) => text(state), csv: ({ state }) => state },
          { head: "Author", cell: ({ author }) => text(author), csv: ({ author }) => author },
          {
            head: "Approved by",
            cell: (request) =>
              html`<ul class="plain">${approvalsOf(request).map((each) => html`<li>${approvalHtml(each)}</li>`)}</ul>`,
            csv: (request) =>
              approvalsOf(request)
                .map(({ name }) => name)
                .join(" "),
          },
          {
            head: "Merged",
            cell: ({ mergedAt }) => (mergedAt ? time(mergedAt) : ""),
            csv: ({ mergedAt }) => (mergedAt ? utc(mergedAt) : null),
          },
          {
            head: "Merge commit",
            cell: ({ mergeCommit }) => (mergeCommit ? digest(mergeCommit) : ""),
            csv: ({ mergeCommit }) => mergeCommit,
          },
        ],
        rows: found,
        empty: empty("No pull request was recorded."),
        here,
      }),
      ...(found.some(({ commits }) => commits?.length) ? [commitTable(found, { here })] : []),
    ],
  };
};

/** The commits of the pull requests, each with what the forge says of its signature. */
function commitTable(found: readonly PullRequest[], { here }: Pick<PageRequest, "here">): Table {
  return table<Commit>({
    id: "commits",
    caption: "Their commits",
    columns: [
      {
        head: "Commit",
        cell: ({ sha1, url }) => html`${sha1 ? digest(sha1) : ""} ${safeLink(url, "View it")}`,
        csv: ({ sha1 }) => sha1,
      },
      { head: "Message", cell: ({ message }) => text(firstLine(message)), csv: ({ message }) => message },
      { head: "Author", cell: ({ author }) => text(author), csv: ({ author }) => author },
      { head: "Signature", cell: signatureOf, csv: signatureOf },
      {
        head: "Committed",
        cell: ({ timestamp }) => (timestamp ? time(timestamp) : ""),
        csv: ({ timestamp }) => (timestamp ? utc(timestamp) : null),
      },
    ],
    rows: found.flatMap(({ commits }) => commits ?? []),
    empty: html``,
    here,
  });
}

function signatureOf({ verified }: Commit): string {
  if (typeof verified !== "boolean") return "";
  return verified ? "verified by the forge" : "not verified";
}

/** `ada, APPROVED 2026-11-22 14:03:05 UTC` */
function approvalHtml({ name, state, at }: Approval): Html {
  return html`${text(name)}${state ? html`, ${text(state)}` : ""}${at ? html` ${time(at)}` : ""}`;
}

/** `merged, 2 approvers, none is the author` */
function inWords(request: PullRequest): string {
  const approvers = approvalsOf(request);
  const own = approvers.some(({ name }) => name === request.author);
  const approved =
    approvers.length === 0
      ? "nobody approved it"
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
