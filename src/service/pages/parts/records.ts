import type { ApprovalOfCommits } from "../../../api/resources/approvals.ts";
import type { AttestationRecord } from "../../../api/resources/attestation-record.ts";
import { personName } from "../../kernel/person-name.ts";
import type { AnsweredBy } from "../operation-calls.ts";
import type { PageRequest } from "../page.ts";
import { data, facts } from "./blocks.ts";
import {
  digest,
  firstLine,
  type Html,
  html,
  link,
  list,
  row,
  safeLink,
  shortName,
  text,
  visible,
} from "./html.ts";
import { environmentLink, linkCellFor, linkFor, linkIf } from "./links.ts";
import {
  approvalCell,
  commitCell,
  digestCell,
  linkCell,
  type Table,
  type TableShape,
  table,
  timeCell,
  verdictCell,
} from "./table.ts";
import { shortTime, time } from "./time.ts";
import { badge } from "./verdict.ts";

type Origin = NonNullable<AnsweredBy<"getTrail">["origin"]>;
type State = Origin["state"];

export function originFacts(
  origin: Origin | null | undefined,
  { to, mayOpen }: Pick<PageRequest, "to" | "mayOpen">,
): readonly (readonly [string, Html | string])[] {
  if (!origin) return [["Origin", "API key: not proven"]];
  return [
    ["Origin", proven(origin)],
    ["Issuer", text(origin.issuer)],
    [
      "Trust policy",
      origin.policy &&
        linkIf(mayOpen("getTrustPolicy"), to.page("trust-policies", origin.policy), origin.policy),
    ],
    ["Proven claims", data("Token claims", origin.claims)],
  ];
}

/** Systems with fixed issuers, by how the names of their runs begin. */
const PROVERS: ReadonlyMap<string, string> = new Map([
  ["github", "GitHub"],
  ["azure", "Azure Pipelines"],
  ["circleci", "CircleCI"],
  ["buildkite", "Buildkite"],
  ["bitbucket", "Bitbucket"],
]);

function proven({ state, name, url, issuer, differences, byAuthor }: Origin): Html {
  const [system = ""] = name.split(":");
  const prover = PROVERS.get(system) ?? URL.parse(issuer)?.host ?? issuer;
  const author =
    byAuthor === true ? html` ${badge("By the author", "warn")} by the author of the commit` : "";
  return html`${stateBadge(state)} Proven by ${visible(prover)}: ${url ? safeLink(url, name) : text(name)}${author}${differing(differences)}<p class="quiet">Tokens do not prove the author of a commit. The author is as reported.</p>`;
}

function differing(differences: Origin["differences"]): Html {
  const all = Object.entries(differences).map(
    ([field, { said: recorded, proven: is }]) =>
      html`${text(field)}: the record says <code>${visible(recorded)}</code>, ${is === "" ? "the token proves none" : html`proven is <code>${visible(is)}</code>`}`,
  );
  return list(all, "reasons") ?? html``;
}

function stateBadge(state: State): Html {
  return badge(state, state === "verified" ? "ok" : "warn");
}

export const recordOriginColumn = {
  Origin: ({ origin }: { readonly origin?: Origin | null | undefined }) => originMark(origin?.state),
};

export function originMark(state: State | null | undefined) {
  if (state) return { html: stateBadge(state), csv: state };
  return { html: html`<span class="quiet">API key</span>`, csv: "API key" };
}

interface Marked {
  /** Absent if there is no attestation yet. */
  readonly attestationId?: string | null | undefined;
  readonly originState?: State | null | undefined;
}

export const originColumn = {
  Origin: ({ attestationId, originState }: Marked) =>
    originState || attestationId ? originMark(originState) : null,
};

export function commitFacts(commit: AttestationRecord["gitCommitInfo"]): Html {
  if (!commit?.sha1) return html``;
  return facts([
    ["Commit", html`${digest(commit.sha1)} ${safeLink(commit.url, "View")}`],
    ["Message", text(firstLine(commit.message))],
    ["Author", text(commit.author)],
    ["Branch", commit.branch ? text(commit.branch) : ""],
    ["Committed", commit.timestamp ? time(commit.timestamp) : ""],
    ["Signature", signature(commit.verified)],
  ]);
}

export function signature(verified: boolean | null | undefined): string {
  if (verified === null || verified === undefined) return "";
  return verified ? "verified by the forge" : "not verified";
}

export type ListedTrail = Extract<AnsweredBy<"listTrails">, { data: unknown }>["data"][number];

/** A trail of a list or of a search, which does not tell its last change. */
export interface ShownTrail extends Pick<ListedTrail, "name" | "complianceState" | "createdAt"> {
  readonly flow: { readonly name: string };
  readonly gitCommitInfo?:
    | {
        readonly sha1?: string | null | undefined;
        readonly message?: string | null | undefined;
        readonly author?: string | null | undefined;
        readonly branch?: string | null | undefined;
      }
    | null
    | undefined;
  readonly lastModifiedAt?: number;
}

interface TrailTable extends Omit<TableShape<ShownTrail>, "columns"> {
  /** Set on the page of a flow, which all the trails belong to. */
  readonly isOfOneFlow?: true;
}

export function trailTable(request: PageRequest, { isOfOneFlow, ...shape }: TrailTable): Table {
  return table<ShownTrail>(request, {
    ...shape,
    isOfRows: true,
    columns: {
      Trail: (trail) => ({ html: trailRow(trail, isOfOneFlow, request), csv: trail.name }),
      State: (trail) => verdictCell(trail.complianceState),
      ...(isOfOneFlow ? {} : { Flow: { cell: (trail) => trail.flow.name, isForCsv: true } }),
      Commit: { cell: ({ gitCommitInfo }) => gitCommitInfo?.sha1, isForCsv: true },
      Author: { cell: ({ gitCommitInfo }) => gitCommitInfo?.author, isForCsv: true },
      Branch: { cell: ({ gitCommitInfo }) => gitCommitInfo?.branch, isForCsv: true },
      Created: { cell: ({ createdAt }) => timeCell(createdAt), isForCsv: true },
      ...(shape.rows.some(({ lastModifiedAt }) => lastModifiedAt === undefined)
        ? {}
        : { "Last changed": { cell: ({ lastModifiedAt }) => timeCell(lastModifiedAt), isForCsv: true } }),
    },
  });
}

/** The subject of the commit, and below it where it comes from. */
function trailRow(
  { name, flow, gitCommitInfo: commit, createdAt, lastModifiedAt }: ShownTrail,
  isOfOneFlow: true | undefined,
  { to }: PageRequest,
): Html {
  const title = firstLine(commit?.message) || shortName(name);
  return row(link(to.page("flows", flow.name, "trails", name), title), [
    isOfOneFlow ? undefined : link(to.page("flows", flow.name), flow.name),
    title === name ? undefined : nameHtml(name),
    commit?.sha1 && !name.startsWith(commit.sha1) ? digest(commit.sha1) : undefined,
    commit?.author ? text(personName(commit.author)) : undefined,
    commit?.branch ? text(commit.branch) : undefined,
    lastModifiedAt === undefined ? html`created ${shortTime(createdAt)}` : shortTime(lastModifiedAt),
  ]);
}

/** The name of a trail, shortened if it is a commit. */
function nameHtml(name: string): Html {
  return shortName(name) === name ? text(name) : digest(name);
}

/** An artifact of a list or of a search. */
export type ShownArtifact = Pick<
  AnsweredBy<"listArtifacts">[number],
  "htmlUrl" | "filename" | "fingerprint" | "state" | "trailName" | "gitCommit"
> & {
  readonly gitCommitInfo?: { readonly message?: string | null | undefined } | null | undefined;
  readonly createdAt?: string | number | null | undefined;
};

export function artifactTable(
  request: PageRequest,
  shape: Omit<TableShape<ShownArtifact>, "id" | "columns">,
): Table {
  return table<ShownArtifact>(request, {
    ...shape,
    id: "artifacts",
    columns: {
      Artifact: {
        // `htmlUrl` is an address of this service and includes the flow.
        cell: ({ htmlUrl, filename }) => (htmlUrl ? linkCell(htmlUrl, filename) : filename),
      },
      Fingerprint: ({ fingerprint }) => digestCell(fingerprint),
      State: ({ state }) => verdictCell(state ?? "UNKNOWN"),
      Trail: ({ trailName: name }) => (name ? { html: nameHtml(name), csv: name } : null),
      Commit: ({ gitCommit, gitCommitInfo }) => commitCell(gitCommit, gitCommitInfo?.message),
      Reported: ({ createdAt }) => timeCell(Number(createdAt)),
    },
  });
}

interface ApprovalTable extends Omit<TableShape<ApprovalOfCommits>, "id" | "columns"> {
  readonly flow: string;
}

export function approvalTable(request: PageRequest, { flow, ...shape }: ApprovalTable): Table {
  const { to, viewer } = request;
  return table<ApprovalOfCommits>(request, {
    ...shape,
    id: "approvals",
    columns: {
      Approval: ({ releaseNumber: number }) => ({
        html: linkFor(viewer)(to.page("approvals", flow, number), `#${number}`),
        csv: number,
      }),
      State: ({ state }) => approvalCell(state),
      Artifact: ({ targetArtifact, artifactName }) =>
        linkCellFor(viewer)(to.page("flows", flow, "artifacts", targetArtifact), artifactName),
      "For environment": ({ environment: name }) => ({
        html: name ? environmentLink(name, request)(to.page("environments", name), name) : "any",
        csv: name,
      }),
      "Reviewed by": ({ approvals: reviews }) => personName(reviews.at(-1)?.approvedBy ?? ""),
      ...recordOriginColumn,
      Recorded: ({ createdAt }) => timeCell(createdAt),
      Description: ({ description }) => description,
    },
  });
}
