import { type Claims, claimText } from "../claims.ts";
import { branchOf, page, projectKind, shortened, shown } from "./issuer-kind.ts";

const ISSUER = /^https:\/\/vstoken\.dev\.azure\.com\/([\da-f-]{36})$/i;

/** Azure Pipelines. The issuer names the organization. */
export const azure = projectKind({
  replay: ["jti"],
  // Azure DevOps does not allow another one. So the token opens Azure, too.
  audience: "api://AzureADTokenExchange",
  nameClaim: "sub",
  format: { fits: /^[^/]+\/[^/]+\/.+$/, text: "organization/project/pipeline" },
  ids: ["org_id", "prj_id", "def_id"],
  always: {
    sub: {
      fits: /^p:\/\//,
      problem: "is not of a pipeline: request the token without a service connection",
    },
  },
  restricted: ["rpo_ref"],
  outsiders: { claim: "rpo_ref", noun: "ref", isOutside: (ref) => ref.startsWith("refs/pull/") },
  nameOf: (claims) => /^p:\/\/(.+)$/s.exec(claimText(claims, "sub") ?? "")?.[1],
  idsIn: (issuer) => {
    const [, id] = ISSUER.exec(issuer) ?? [];
    return id === undefined ? {} : { org_id: id };
  },
  named: (_, claims) => ({
    name: `azure:${shortened(azure.nameOf(claims) ?? "unknown")} run ${shown(claims, "run_id")}`,
    url: runsOf(claims)[0] ?? null,
  }),
  proofOf(_, claims) {
    const repository = repositoryOf(claims);
    const sha = claimText(claims, "rpo_ver");
    const ref = claimText(claims, "rpo_ref");
    return {
      sha,
      repositories: repository?.names ?? [],
      repositoryId: claimText(claims, "rpo_id"),
      page: repository?.page,
      commitPage:
        repository === undefined || sha === undefined ? undefined : `${repository.page}/commit/${sha}`,
      runs: runsOf(claims),
      branch: branchOf(ref),
      isOfAnotherCommit: ref?.startsWith("refs/pull/") ?? false,
    };
  },
});

export function isAzure(issuer: string): boolean {
  return ISSUER.test(issuer);
}

/** The page of the run, at both addresses that an organization may use. */
function runsOf(claims: Claims): string[] {
  const [organization, project] = azure.nameOf(claims)?.split("/") ?? [];
  const run = claimText(claims, "run_id");
  if (organization === undefined || project === undefined || run === undefined) return [];
  const results = `_build/results?buildId=${encodeURIComponent(run)}`;
  const address = page("https://dev.azure.com", organization, project);
  // A name that is not part of a host has only the first address.
  const older = /^[\w-]+$/.test(organization)
    ? [page(`https://${organization}.visualstudio.com`, project)]
    : [];
  return [address, ...older].map((each) => `${each}/${results}`);
}

/** The repository at Azure, GitHub or elsewhere. */
function repositoryOf(claims: Claims): { page: string; names: string[] } | undefined {
  const url = URL.parse(claimText(claims, "rpo_uri") ?? "");
  if (url === null || url.protocol !== "https:") return undefined;
  const path = url.pathname.replace(/\.git$/, "").replace(/\/$/, "");
  const parts = path.split("/").slice(1).map(decoded);
  const at = parts.indexOf("_git");
  // Azure's own repositories belong to a project, often of the same name.
  const names =
    at === -1 ? [parts.join("/")] : [parts.toSpliced(at, 1).join("/"), parts.slice(at + 1).join("/")];
  return { page: `https://${url.host}${path}`, names };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
