import { isSameName } from "../../../kernel/github-names.ts";
import { type Claims, claimText } from "../claims.ts";
import { branchOf, isOfOwner, page, projectKind, shown } from "./issuer-kind.ts";

const PROJECT = "project_id";
const NAMESPACE = "namespace_id";

/** Pipelines of merge requests, which build a trial merge. GitLab has the ids of the fork in tokens for its code. */
const OF_MERGE_REQUESTS: readonly (string | undefined)[] = [
  "merge_request_event",
  "external_pull_request_event",
];

/** GitLab.com and self-managed GitLab. The issuer is the address of the instance. */
export const gitlab = projectKind({
  replay: ["jti"],
  nameClaim: "project_path",
  format: { fits: /^[\w.-]+(?:\/[\w.-]+)*\/(?:[\w.-]+|\*)$/, text: "group/project" },
  ids: [NAMESPACE, PROJECT],
  outsiders: {
    claim: "pipeline_source",
    noun: "source",
    isOutside: (source) => OF_MERGE_REQUESTS.includes(source),
  },
  nameOf: (claims) => claimText(claims, "project_path"),
  isNamed: (name, subject) => isSameName(isOfOwner(subject) ? name.replace(/\/[^/]*$/, "/*") : name, subject),
  idsOf: (subject) => (isOfOwner(subject) ? [NAMESPACE] : [NAMESPACE, PROJECT]),
  named: (issuer, claims) => ({
    name: `gitlab:${shown(claims, "project_path")} pipeline ${shown(claims, "pipeline_id")} job ${shown(claims, "job_id")}`,
    url: pagesOf(issuer, claims)?.job ?? null,
  }),
  proofOf(issuer, claims) {
    const path = claimText(claims, "project_path");
    const sha = claimText(claims, "sha");
    const pages = pagesOf(issuer, claims);
    return {
      sha,
      repositories: path === undefined ? [] : [path],
      repositoryId: claimText(claims, PROJECT),
      page: pages?.project,
      commitPage: pages === undefined || sha === undefined ? undefined : `${pages.project}/-/commit/${sha}`,
      runs: pages === undefined ? [] : [pages.job, pages.pipeline],
      branch: branchIn(claims),
      isOfAnotherCommit: OF_MERGE_REQUESTS.includes(claimText(claims, "pipeline_source")),
    };
  },
});

/** Older instances have no `ref_path`. A pipeline of a merge request has the source branch in `ref`. */
function branchIn(claims: Claims): string | undefined {
  const isBranch = claimText(claims, "ref_type") === "branch";
  return branchOf(claimText(claims, "ref_path")) ?? (isBranch ? claimText(claims, "ref") : undefined);
}

function pagesOf(issuer: string, claims: Claims) {
  const path = claimText(claims, "project_path");
  if (path === undefined) return undefined;
  const project = page(issuer, ...path.split("/"));
  return {
    project,
    job: page(`${project}/-/jobs`, claimText(claims, "job_id") ?? "unknown"),
    pipeline: page(`${project}/-/pipelines`, claimText(claims, "pipeline_id") ?? "unknown"),
  };
}
