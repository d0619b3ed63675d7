import { NotFound, Refusal } from "../../kernel/errors.ts";
import { personName } from "../../kernel/person-name.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import { definePage, type PageRequest } from "../page.ts";
import { data, empty, facts, type HowTo } from "../parts/blocks.ts";
import { filterBar, textFilter } from "../parts/filter-bar.ts";
import { digest, type Html, html, link, longText, text } from "../parts/html.ts";
import { crumbs, environmentLink } from "../parts/links.ts";
import { listed, numberedPage, pageNumberIn, ROWS } from "../parts/lists.ts";
import { approvalTable, originFacts } from "../parts/records.ts";
import {
  addressCell,
  approvalCell,
  digestCell,
  linkCell,
  type Table,
  table,
  timeCell,
} from "../parts/table.ts";
import { time } from "../parts/time.ts";
import { approvalState } from "../parts/verdict.ts";

const NONE = html`<span class="quiet">none</span>`;

/** Flows per page. Each needs a request for its latest approval. */
const FLOWS = 20;

/** Shows the latest approval of each flow, because approvals are numbered and listed by flow. */
export const approvalsPage = definePage({
  path: "/:org/approvals",
  audience: "everybody",
  async show(request) {
    const { call, query, to } = request;
    const bar = filterBar("Filter approvals", { flow: textFilter("Part of the flow's name") }, request);
    const found = await bar.find(async ({ flow: name }) => {
      const wanted = name === "" ? {} : { searchByName: name, caseSensitive: false };
      return call("listFlows", { ...wanted, page: pageNumberIn(query), perPage: FLOWS });
    });
    if (found instanceof Refusal) return bar.refused({ title: "Approvals" }, found);
    const list = listed(found, request);
    const latest = await Promise.all(
      list.rows.map(async ({ name: flow }) => {
        const [approval] = await call("listApprovals", { flowName: flow, page: 1, perPage: 1 });
        return { flow, approval };
      }),
    );
    const approvals = table(request, {
      id: "approvals",
      caption: "Latest approval of each flow",
      position: list.count,
      columns: {
        Flow: ({ flow }) => linkCell(to.page("approvals", flow), flow),
        "Latest approval": ({ flow, approval: { releaseNumber: number } = {} }) => ({
          html: number === undefined ? NONE : link(to.page("approvals", flow, number), `#${number}`),
          csv: number,
        }),
        State: ({ approval }) => approval && approvalCell(approval.state),
        Artifact: ({ flow, approval }) =>
          approval &&
          linkCell(to.page("flows", flow, "artifacts", approval.targetArtifact), approval.artifactName),
        "For environment": ({ approval }) =>
          approval && { html: text(approval.environment ?? "any"), csv: approval.environment },
        Recorded: ({ approval }) => approval && timeCell(approval.createdAt),
      },
      rows: latest,
      empty: list.empty(bar.empty("flows", "No flows yet.")),
    });
    const example = list.rows[0]?.name ?? "web";
    return {
      title: "Approvals",
      main: html`${bar.html}
${approvals.html}${list.pager}`,
      tables: [approvals],
      json: { operation: "listApprovals", given: { flowName: example, page: 1, perPage: 1 } },
      howTo: approvalHowTo(example),
    };
  },
});

export const flowApprovalsPage = definePage({
  path: "/:org/approvals/:flow",
  audience: "everybody",
  async show(request) {
    const { params, call, query, to } = request;
    const { flow } = params;
    const given = { flowName: flow, page: pageNumberIn(query), perPage: ROWS };
    const rows = await call("listApprovals", given);
    const list = numberedPage(rows, { ...given, hasMore: rows.length === ROWS }, request);
    const howTo = approvalHowTo(flow);
    const caption = `Approvals of ${flow}`;
    const approvals = approvalTable(request, {
      caption: "Approvals, newest first",
      flow,
      position: list.count,
      rows,
      empty: list.empty(empty("No approvals in this flow yet.", howTo)),
    });
    return {
      title: caption,
      above: [["Approvals", to.page("approvals")]],
      main: html`${approvals.html}${list.pager}`,
      tables: [approvals],
      json: { operation: "listApprovals", given },
      howTo,
    };
  },
});

function approvalHowTo(flow: string): HowTo {
  return {
    title: "Record an approval",
    code: `npx delivery-evidence call recordApproval flow_name=${flow} --body - <<'BODY'
artifact_fingerprint: THE_FINGERPRINT
description: release 12
environment: production
src_commit_list: [THE_COMMIT]
approvals:
  - state: APPROVED
    comment: tested
    approved_by: ada
    approval_url: https://ci.example.com/run/7
BODY`,
  };
}

type Approval = AnsweredBy<"getApproval">;

export const approvalPage = definePage({
  path: "/:org/approvals/:flow/:number",
  audience: "everybody",
  async show(request) {
    const { params, call, to } = request;
    const { flow } = params;
    const approvalNumber = Number(params.number);
    if (!Number.isSafeInteger(approvalNumber))
      throw new NotFound("approval.not_found", `Approval '${params.number}' was not found`);
    const given = { flowName: flow, approvalNumber };
    const approval = await call("getApproval", given);
    const { releaseNumber: number, targetArtifact, baseArtifact, environment } = approval;
    // Negative numbers count from the end.
    if (String(number) !== params.number) return { redirect: to.page("approvals", flow, number) };
    const artifactAt = (fingerprint: string) => to.page("flows", flow, "artifacts", fingerprint);
    const reviews = reviewTable(approval, request);
    const commits = commitTable(approval, request, artifactAt);
    return {
      title: `Approval #${number} of ${flow}`,
      above: crumbs(to, "Approvals", "approvals", flow),
      main: html`<p class="lead">${approvalState(approval.state)} ${reviewerText(approval)}</p>
${longText(approval.description)}
${facts([
  ["Artifact", html`${link(artifactAt(targetArtifact), approval.artifactName)} ${digest(targetArtifact)}`],
  [
    "For environment",
    environment
      ? environmentLink(environment, request)(to.page("environments", environment), environment)
      : "any",
  ],
  [
    "Previous artifact",
    baseArtifact === ""
      ? ""
      : html`${link(artifactAt(baseArtifact), baseArtifact.slice(0, 12))} ${digest(baseArtifact)}`,
  ],
  ["Recorded", time(approval.createdAt)],
  ["Last changed", time(approval.lastModifiedAt)],
  ...originFacts(approval.origin, request),
])}
<h2>Reviews</h2>
${reviews.html}
<h2>Commits</h2>
${commits.html}
${data("User data", approval.userData)}`,
      tables: [reviews, commits],
      json: { operation: "getApproval", given },
      howTo: approvalHowTo(flow),
    };
  },
});

function reviewerText({ approvals }: Approval): Html {
  const last = approvals.at(-1);
  if (last === undefined) return html`not reviewed yet`;
  const others = approvals.length === 1 ? "" : ", who reviewed it last";
  return html`by ${text(personName(last.approvedBy))}${others}`;
}

function reviewTable({ approvals }: Approval, request: PageRequest): Table {
  return table(request, {
    id: "reviews",
    caption: "Reviews (the last one decides)",
    columns: {
      Reviewer: ({ approvedBy }) => personName(approvedBy),
      State: ({ state }) => approvalCell(state),
      When: ({ timestamp }) => timeCell(timestamp),
      Comment: ({ comment }) => comment,
      Link: ({ approvalUrl }) => addressCell(approvalUrl),
    },
    rows: approvals,
    empty: "Not reviewed yet.",
  });
}

function commitTable(
  { srcCommitList }: Approval,
  request: PageRequest,
  artifactAt: (fingerprint: string) => string,
): Table {
  return table(request, {
    id: "commits",
    caption: "Commits",
    columns: {
      Commit: ({ commitSha }) => digestCell(commitSha),
      "Artifacts built from this commit": ({ artifactFingerprints: all }) => {
        const links = all.map((each) => html`${link(artifactAt(each), each.slice(0, 12))} `);
        return { html: links.length === 0 ? NONE : html`${links}`, csv: all.join(" ") };
      },
    },
    rows: srcCommitList,
    empty: "No commits.",
  });
}
