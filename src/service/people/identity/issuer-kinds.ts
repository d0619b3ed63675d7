import type { Proof } from "../../kernel/proof.ts";
import { type Claims, claimText } from "./claims.ts";
import { azure, isAzure } from "./kinds/azure.ts";
import { bitbucket, isBitbucket } from "./kinds/bitbucket.ts";
import { buildkite, isBuildkite } from "./kinds/buildkite.ts";
import { circleci, isCircleci } from "./kinds/circleci.ts";
import { gitHubOf, github } from "./kinds/github.ts";
import { gitlab } from "./kinds/gitlab.ts";
import type { IssuerKind, IssuerKindName, Named, ProjectKindName } from "./kinds/issuer-kind.ts";
import { kubernetes, serviceAccountIn } from "./kinds/kubernetes.ts";
import { other } from "./kinds/other.ts";

/*
 * The issuers whose subjects a trust policy can name. A subject has a name, which may be given to another one, and ids,
 * which may not. The first use of a policy pins the ids.
 */

export const ISSUER_KINDS: Readonly<Record<IssuerKindName, IssuerKind>> = {
  ...{ github, gitlab, azure, circleci, buildkite, bitbucket, kubernetes, other },
};

/** Issuers at fixed addresses. Any other one may be a self-managed GitLab or a cluster. */
const PROJECT_ISSUERS: readonly (readonly [ProjectKindName, (issuer: string) => boolean])[] = [
  ["gitlab", (issuer) => issuer === "https://gitlab.com"],
  ["azure", isAzure],
  ["circleci", isCircleci],
  ["buildkite", isBuildkite],
  ["bitbucket", isBitbucket],
];

function kindOfIssuer(issuer: string): IssuerKindName | undefined {
  if (gitHubOf(issuer) !== undefined) return "github";
  return PROJECT_ISSUERS.find(([, isOf]) => isOf(issuer))?.[0];
}

/** Claims that only tokens of GitLab have. */
const OF_GITLAB = ["project_path", "project_id", "namespace_id"];

/** The kind of a token. Its issuer can sign any claims, but a policy trusts one kind of one issuer. */
export function kindOfToken(issuer: string, claims: Claims): IssuerKindName {
  const kind = kindOfIssuer(issuer);
  if (kind !== undefined) return kind;
  if (serviceAccountIn(claims) !== undefined) return "kubernetes";
  return OF_GITLAB.every((claim) => claimText(claims, claim) !== undefined) ? "gitlab" : "other";
}

interface PolicySubject {
  readonly issuer: string;
  readonly serviceAccount: string | null;
  /** Whether the policy names a project or its ids. */
  readonly isProject: boolean;
}

/** The kind of tokens that a policy trusts. */
export function kindOfPolicy({ issuer, serviceAccount, isProject }: PolicySubject): IssuerKindName {
  if (serviceAccount !== null) return "kubernetes";
  return kindOfIssuer(issuer) ?? (isProject ? "gitlab" : "other");
}

export function namedBy(issuer: string, claims: Claims): Named {
  return ISSUER_KINDS[kindOfToken(issuer, claims)].named(issuer, claims);
}

export function proofOf(issuer: string, claims: Claims): Proof {
  return ISSUER_KINDS[kindOfToken(issuer, claims)].proofOf(issuer, claims);
}
