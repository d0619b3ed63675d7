import { claimText } from "../claims.ts";
import { projectKind, shortened, shown } from "./issuer-kind.ts";

const ISSUER = /^https:\/\/api\.bitbucket\.org\/2\.0\/workspaces\/([^/]+)\/pipelines-config\/identity\/oidc$/;

/** Bitbucket Cloud. Its tokens have ids only. The issuer names the workspace. */
export const bitbucket = projectKind({
  // Its tokens have no jti.
  replay: ["stepUuid"],
  nameClaim: "repositoryUuid",
  format: { fits: /^[\w.-]+\/[\w.-]+$/, text: "workspace/repository" },
  ids: ["workspaceUuid", "repositoryUuid"],
  requiredIds: () => ["repositoryUuid"],
  nameOf: () => undefined,
  named: (issuer, claims) => ({
    name: `bitbucket:${shortened(workspaceOf(issuer))}/${shown(claims, "repositoryUuid")} step ${shown(claims, "stepUuid")}`,
    url: null,
  }),
  proofOf: (_, claims) => ({
    repositories: [],
    repositoryId: claimText(claims, "repositoryUuid"),
    runs: [],
    branch: claimText(claims, "branchName"),
    isOfAnotherCommit: false,
  }),
});

export function isBitbucket(issuer: string): boolean {
  return ISSUER.test(issuer);
}

function workspaceOf(issuer: string): string {
  return ISSUER.exec(issuer)?.[1] ?? "unknown";
}
