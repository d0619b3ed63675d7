import { type Claims, claimText } from "../claims.ts";
import { page, projectKind, shown } from "./issuer-kind.ts";

/** Issuer of the tokens of every organization at Buildkite. */
const ISSUER = "https://agent.buildkite.com";

export const buildkite = projectKind({
  // Older tokens have no jti.
  replay: ["jti", "job_id"],
  nameClaim: "pipeline_slug",
  format: { fits: /^[\w-]+\/[\w-]+$/, text: "organization/pipeline" },
  ids: ["organization_id", "pipeline_id"],
  // Git allows no colon in names. Buildkite puts the owner of a fork before it.
  outsiders: { claim: "build_branch", noun: "branch", isOutside: (branch) => branch.includes(":") },
  nameOf(claims) {
    const [organization, pipeline] = namesIn(claims);
    return organization === undefined || pipeline === undefined ? undefined : `${organization}/${pipeline}`;
  },
  named: (_, claims) => ({
    name: `buildkite:${shown(claims, "organization_slug")}/${shown(claims, "pipeline_slug")} build ${shown(claims, "build_number")}`,
    url: runOf(claims) ?? null,
  }),
  proofOf(_, claims) {
    const run = runOf(claims);
    const isTag = claimText(claims, "build_tag") !== undefined;
    const commit = claimText(claims, "build_commit");
    return {
      // A build can be created for HEAD, which is not a commit.
      sha: commit === "HEAD" ? undefined : commit,
      repositories: [],
      runs: run === undefined ? [] : [run],
      branch: isTag ? undefined : claimText(claims, "build_branch"),
      isOfAnotherCommit: false,
    };
  },
});

export function isBuildkite(issuer: string): boolean {
  return issuer === ISSUER;
}

function namesIn(claims: Claims) {
  return ["organization_slug", "pipeline_slug"].map((claim) => claimText(claims, claim));
}

function runOf(claims: Claims): string | undefined {
  const [organization, pipeline] = namesIn(claims);
  const build = claimText(claims, "build_number");
  if (organization === undefined || pipeline === undefined || build === undefined) return undefined;
  return page("https://buildkite.com", organization, pipeline, "builds", build);
}
