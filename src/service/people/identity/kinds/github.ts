import { isSameName, OUTSIDER_EVENTS, PULL_REQUEST_EVENTS } from "../../../kernel/github-names.ts";
import type { Proof } from "../../../kernel/proof.ts";
import { type Claims, claimText } from "../claims.ts";
import { branchOf, type IssuerKind, isOfOwner, page, shortened } from "./issuer-kind.ts";

const REPOSITORY = "repository_id";
const OWNER = "repository_owner_id";

/** Events whose token has another commit: a test merge or the default branch. */
const OF_ANOTHER_COMMIT: readonly (string | undefined)[] = [...PULL_REQUEST_EVENTS, "workflow_run"];

export const github: IssuerKind = {
  algorithms: ["RS256"],
  replay: ["jti"],
  lifetime: Number.POSITIVE_INFINITY,
  isNamedByPolicy: false,
  nameClaim: "repository",
  ids: { [REPOSITORY]: "repository_id", [OWNER]: "repository_owner_id" },
  outsiders: { claim: "event_name", noun: "event", isOutside: (event) => OUTSIDER_EVENTS.includes(event) },
  nameOf: (claims) => claimText(claims, "repository"),
  isNamed: (name, subject) => isSameName(isOfOwner(subject) ? `${name.split("/")[0]}/*` : name, subject),
  idsOf: (subject) => (isOfOwner(subject) ? [OWNER] : [OWNER, REPOSITORY]),
  /** Compares pinned ids, or the name if the repository's id is not pinned. */
  isOwn({ subject, ids }, claims) {
    const [id, owner] = [ids[REPOSITORY] ?? null, ids[OWNER] ?? null];
    if (id !== null) return claimText(claims, REPOSITORY) === id;
    const isNamed =
      subject !== null && !isOfOwner(subject)
        ? isSameName(claimText(claims, "repository") ?? "", subject)
        : owner !== null;
    return isNamed && (owner === null || claimText(claims, OWNER) === owner);
  },
  named(issuer, claims) {
    const text = (name: string) => claimText(claims, name) ?? "unknown";
    const [, file = "unknown"] = /\/([^/@]+)@/.exec(text("workflow_ref")) ?? [];
    const [repository, run, attempt] = [text("repository"), text("run_id"), text("run_attempt")];
    const [repositoryName, fileName, runName, attemptName] = [repository, file, run, attempt].map(shortened);
    return {
      name: `github:${repositoryName} ${fileName} run ${runName} attempt ${attemptName}`,
      url: `${runPage(issuer, claims)}/attempts/${encodeURIComponent(attempt)}`,
    };
  },
  proofOf(issuer, claims) {
    const proof = proofOfClaims(claims);
    const { sha, repositories } = proof;
    const [repository] = repositories;
    const address = repository === undefined ? undefined : `${gitHubOf(issuer) ?? ""}/${repository}`;
    return {
      ...proof,
      page: address,
      commitPage: address === undefined || sha === undefined ? undefined : `${address}/commit/${sha}`,
      runs: [runPage(issuer, claims)],
    };
  },
};

function runPage(issuer: string, claims: Claims): string {
  const text = (name: string) => claimText(claims, name) ?? "unknown";
  return page(gitHubOf(issuer) ?? "", ...text("repository").split("/"), "actions", "runs", text("run_id"));
}

/** Proof of claims with GitHub's names, which any issuer may use. */
export function proofOfClaims(claims: Claims): Proof {
  const repository = claimText(claims, "repository");
  const event = claimText(claims, "event_name");
  // The head of pull_request_target may be a branch of a fork.
  const branch =
    event === "pull_request_target"
      ? undefined
      : (claimText(claims, "head_ref") ?? branchOf(claimText(claims, "ref")));
  return {
    sha: claimText(claims, "sha"),
    repositories: repository === undefined ? [] : [repository],
    repositoryId: claimText(claims, REPOSITORY),
    runs: [],
    branch,
    isOfAnotherCommit: OF_ANOTHER_COMMIT.includes(event),
  };
}

/**
 * The web address of the GitHub behind an issuer: GitHub.com, an enterprise, data residency or Enterprise Server.
 * Undefined for other issuers.
 */
export function gitHubOf(issuer: string): string | undefined {
  const { protocol, host, hostname, pathname } = new URL(issuer);
  if (protocol === "https:" && host === "token.actions.githubusercontent.com") return "https://github.com";
  const [, residence] = /^token\.actions\.([a-z0-9-]+\.ghe\.com)$/.exec(hostname) ?? [];
  if (protocol === "https:" && residence !== undefined) return `https://${residence}`;
  return pathname === "/_services/token" ? `${protocol}//${host}` : undefined;
}
