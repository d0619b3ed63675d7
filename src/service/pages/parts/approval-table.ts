import type { ApprovalOfCommits } from "../../../api/resources/approvals.ts";
import type { Html } from "../html.ts";
import type { PageRequest } from "../page.ts";
import { approvalState } from "./approval-state.ts";
import { leads, leadsTo } from "./leads.ts";
import { recordOriginColumn } from "./origin.ts";
import { type Table, table } from "./table.ts";
import { text } from "./text.ts";
import { time, utc } from "./time.ts";

interface Shape {
  readonly caption: string;
  readonly flow: string;
  readonly approvals: readonly ApprovalOfCommits[];
  readonly empty: Html;
}

/** Approvals of a flow. */
export function approvalTable(
  { caption, flow, approvals, empty }: Shape,
  request: Pick<PageRequest, "to" | "here" | "viewer" | "may">,
): Table {
  const { to, here, viewer } = request;
  const lead = leads(viewer);
  return table<ApprovalOfCommits>({
    id: "approvals",
    caption,
    columns: [
      {
        head: "Approval",
        cell: ({ releaseNumber: number }) => lead(to.page("approvals", flow, number), `#${number}`),
        csv: ({ releaseNumber }) => releaseNumber,
      },
      { head: "State", cell: ({ state }) => approvalState(state), csv: ({ state }) => state },
      {
        head: "Artifact",
        cell: ({ targetArtifact, artifactName }) =>
          lead(to.page("flows", flow, "artifacts", targetArtifact), artifactName),
        csv: ({ artifactName }) => artifactName,
      },
      {
        head: "For environment",
        cell: ({ environment }) =>
          environment
            ? leadsTo(environment, request)(to.page("environments", environment), environment)
            : "any",
        csv: ({ environment }) => environment,
      },
      {
        head: "Reviewed by",
        cell: ({ approvals: reviews }) => text(reviews.at(-1)?.approvedBy),
        csv: ({ approvals: reviews }) => reviews.at(-1)?.approvedBy,
      },
      recordOriginColumn,
      { head: "Recorded", cell: ({ createdAt }) => time(createdAt), csv: ({ createdAt }) => utc(createdAt) },
      {
        head: "Description",
        cell: ({ description }) => text(description),
        csv: ({ description }) => description,
      },
    ],
    rows: approvals,
    empty,
    here,
  });
}
