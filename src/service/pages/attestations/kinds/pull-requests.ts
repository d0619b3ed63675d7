import { html } from "hono/html";
import type { AttestationRecord } from "../../../../api/attestation-record.ts";
import { empty } from "../../parts/empty.ts";
import { safeLink } from "../../parts/link.ts";
import { table } from "../../parts/table.ts";
import { text } from "../../parts/text.ts";
import { time, utc } from "../../parts/time.ts";
import { counted, type ShowKind } from "./sections.ts";

type PullRequest = NonNullable<AttestationRecord["pullRequests"]>[number];

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
            cell: (request) => html`${approversOf(request).map((name) => html`${text(name)} `)}`,
            csv: (request) => approversOf(request).join(" "),
          },
          {
            head: "Merged",
            cell: ({ mergedAt }) => (mergedAt ? time(mergedAt) : ""),
            csv: ({ mergedAt }) => (mergedAt ? utc(mergedAt) : null),
          },
          {
            head: "Commits",
            cell: ({ commits }) => commits?.length,
            csv: ({ commits }) => commits?.length,
            isNumber: true,
          },
        ],
        rows: found,
        empty: empty("No pull request was recorded."),
        here,
      }),
    ],
  };
};

/** `merged, 2 approvers, none is the author` */
function inWords(request: PullRequest): string {
  const approvers = approversOf(request);
  const own = approvers.some((name) => name === request.author);
  const approved =
    approvers.length === 0
      ? "nobody approved it"
      : `${counted(approvers.length, "approver")}, ${own ? "one is the author" : "none is the author"}`;
  return `${(request.state ?? "unknown").toLowerCase()}, ${approved}`;
}

function approversOf({ approvers }: PullRequest): string[] {
  return (approvers ?? []).flatMap((each) => {
    if (typeof each === "string") return [each];
    return each.username ? [each.username] : [];
  });
}
