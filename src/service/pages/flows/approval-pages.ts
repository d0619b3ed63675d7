import { html } from "hono/html";
import { NotFound } from "../../kernel/errors.ts";
import { approvalHowTo } from "../approvals/how-to.ts";
import type { AnsweredBy } from "../ask.ts";
import type { Html } from "../html.ts";
import { definePage, type PageRequest } from "../page.ts";
import { approvalState } from "../parts/approval-state.ts";
import { data } from "../parts/data.ts";
import { digest } from "../parts/digest.ts";
import { empty } from "../parts/empty.ts";
import { facts } from "../parts/facts.ts";
import { leadsTo } from "../parts/leads.ts";
import { link, safeLink } from "../parts/link.ts";
import { originFacts } from "../parts/origin.ts";
import { type Table, table } from "../parts/table.ts";
import { longText, text } from "../parts/text.ts";
import { time, utc } from "../parts/time.ts";

type Approval = AnsweredBy<"getApproval">;

/** An approval: what its last review says, of which artifact, with the commits that it lets go. */
export const approvalPage = definePage({
  path: "/:org/approvals/:flow/:number",
  audience: "everybody",
  async show(request) {
    const { params, ask, to } = request;
    const { flow } = params;
    const approvalNumber = Number(params.number);
    if (!Number.isSafeInteger(approvalNumber)) throw new NotFound(`There is no approval '${params.number}'`);
    const given = { flowName: flow, approvalNumber };
    const approval = await ask("getApproval", given);
    const { releaseNumber: number, targetArtifact, baseArtifact, environment } = approval;
    // Those below zero count from the end.
    if (String(number) !== params.number) return { redirect: to.page("approvals", flow, number) };
    const artifactAt = (fingerprint: string) => to.page("flows", flow, "artifacts", fingerprint);
    const reviews = reviewTable(approval, request);
    const commits = commitTable(approval, request, artifactAt);
    return {
      title: `Approval #${number} of ${flow}`,
      above: [
        { name: "Approvals", href: to.page("approvals") },
        { name: flow, href: to.page("approvals", flow) },
      ],
      main: html`<p class="lead">${approvalState(approval.state)} ${why(approval)}</p>
${approval.description === "" ? "" : longText(approval.description)}
${facts([
  ["Artifact", html`${link(artifactAt(targetArtifact), approval.artifactName)} ${digest(targetArtifact)}`],
  [
    "For environment",
    environment ? leadsTo(environment, request)(to.page("environments", environment), environment) : "any",
  ],
  [
    "After the artifact",
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

function why({ approvals }: Approval): Html {
  const last = approvals.at(-1);
  if (last === undefined) return html`nobody has reviewed it yet`;
  const others = approvals.length === 1 ? "" : ", who reviewed it last";
  return html`by ${text(last.approvedBy)}${others}`;
}

function reviewTable({ approvals }: Approval, { here }: Pick<PageRequest, "here">): Table {
  return table({
    id: "reviews",
    caption: "Reviews, the last of which decides",
    columns: [
      { head: "By", cell: ({ approvedBy }) => text(approvedBy), csv: ({ approvedBy }) => approvedBy },
      { head: "State", cell: ({ state }) => approvalState(state), csv: ({ state }) => state },
      { head: "When", cell: ({ timestamp }) => time(timestamp), csv: ({ timestamp }) => utc(timestamp) },
      { head: "Comment", cell: ({ comment }) => text(comment), csv: ({ comment }) => comment },
      {
        head: "Where",
        cell: ({ approvalUrl }) => safeLink(approvalUrl),
        csv: ({ approvalUrl }) => approvalUrl,
      },
    ],
    rows: approvals,
    empty: empty("It is a request for approval: nobody has reviewed it yet."),
    here,
  });
}

function commitTable(
  { srcCommitList }: Approval,
  { here }: Pick<PageRequest, "here">,
  artifactAt: (fingerprint: string) => string,
): Table {
  return table({
    id: "commits",
    caption: "Commits that it speaks of",
    columns: [
      { head: "Commit", cell: ({ commitSha }) => digest(commitSha), csv: ({ commitSha }) => commitSha },
      {
        head: "Artifacts built from it",
        cell: ({ artifactFingerprints: all }) =>
          all.length === 0
            ? html`<span class="quiet">none</span>`
            : html`${all.map((fingerprint) => html`${link(artifactAt(fingerprint), fingerprint.slice(0, 12))} `)}`,
        csv: ({ artifactFingerprints: all }) => all.join(" "),
      },
    ],
    rows: srcCommitList,
    empty: empty("It names no commit."),
    here,
  });
}
