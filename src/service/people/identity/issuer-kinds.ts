import { isSameName } from "../../kernel/github-names.ts";
import { oneLine } from "../../kernel/one-line.ts";
import { type Claims, claimText } from "./claims.ts";

/*
 * The issuers whose subjects a trust policy can name. A subject has a name, which may be given to another one, and ids,
 * which may not. The first use of a policy pins the ids.
 */

interface IssuerKind {
  /** Algorithms of signatures. */
  readonly algorithms: readonly string[];
  /** Claim that identifies a token, which can be exchanged once. Null: until it expires. */
  readonly replay: string | null;
  /** Maximum lifetime of a token in seconds. */
  readonly lifetime: number;
  /** Claim that problems of the name are listed under. */
  readonly nameClaim: string;
  /** Columns of the pinned ids by claim. */
  readonly ids: Readonly<Record<string, IdColumn>>;
  nameOf(claims: Claims): string | undefined;
  isNamed(name: string, subject: string): boolean;
  /** The claims that identify a subject, the decisive one last. */
  idsOf(subject: string): readonly string[];
  /** Whether the token's sender may see the problems of a policy. */
  isOwn(policy: Subject, claims: Claims): boolean;
}

type IdColumn = "repository_id" | "repository_owner_id" | "service_account_uid";

export type IssuerKindName = "github" | "kubernetes" | "other";

export interface Subject {
  readonly kind: IssuerKindName;
  /** `acme/web`, `acme/*` or `namespace/account`; null for policies without a name. */
  readonly subject: string | null;
  /** Required ids by claim; null if any id matches. */
  readonly ids: Readonly<Partial<Record<string, string | null>>>;
}

const REPOSITORY = "repository_id";
const OWNER = "repository_owner_id";
const SERVICE_ACCOUNT = "kubernetes.io/serviceaccount";
const UID = `${SERVICE_ACCOUNT}/uid`;

const DAY = 24 * 60 * 60;

export const ISSUER_KINDS: Readonly<Record<IssuerKindName, IssuerKind>> = {
  github: {
    algorithms: ["RS256"],
    replay: "jti",
    lifetime: Number.POSITIVE_INFINITY,
    nameClaim: "repository",
    ids: { [REPOSITORY]: "repository_id", [OWNER]: "repository_owner_id" },
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
  },
  kubernetes: {
    algorithms: ["RS256", "ES256", "ES384", "ES512"],
    // A projected token is a file, which its pod may read again after a restart.
    replay: null,
    lifetime: DAY,
    nameClaim: SERVICE_ACCOUNT,
    ids: { [UID]: "service_account_uid" },
    nameOf: serviceAccountIn,
    isNamed: (name, subject) => name === subject,
    idsOf: () => [UID],
    isOwn: ({ subject }, claims) => subject === serviceAccountIn(claims),
  },
  /** Policies for these issuers have only claims. */
  other: {
    algorithms: ["RS256"],
    replay: "jti",
    lifetime: Number.POSITIVE_INFINITY,
    nameClaim: "sub",
    ids: {},
    nameOf: (claims) => claimText(claims, "sub"),
    isNamed: () => true,
    idsOf: () => [],
    isOwn: () => false,
  },
};

/** The kind of a token. Only a cluster issues tokens with a service account. */
export function kindOfToken(issuer: string, claims: Claims): IssuerKindName {
  if (gitHubOf(issuer) !== undefined) return "github";
  return serviceAccountIn(claims) === undefined ? "other" : "kubernetes";
}

/** The kind of tokens that a policy trusts. */
export function kindOfPolicy(issuer: string, serviceAccount: string | null): IssuerKindName {
  if (serviceAccount !== null) return "kubernetes";
  return gitHubOf(issuer) === undefined ? "other" : "github";
}

/** `acme/*` is every repository of the owner. */
function isOfOwner(subject: string): boolean {
  return subject.endsWith("/*");
}

/** `web/reporter`: the namespace and the name. */
function serviceAccountIn(claims: Claims): string | undefined {
  const namespace = claimText(claims, "kubernetes.io/namespace");
  const name = claimText(claims, `${SERVICE_ACCOUNT}/name`);
  return namespace === undefined || name === undefined ? undefined : `${namespace}/${name}`;
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

/** GitHub's limit for names. */
const MAX_LENGTH = 255;

export interface Named {
  /** `github:acme/web build.yml run 123 attempt 1`, `kubernetes:web/reporter of oidc.example.com/id/1` */
  readonly name: string;
  /** The page of the run; null if unknown. */
  readonly url: string | null;
}

export function namedBy(issuer: string, claims: Claims): Named {
  const server = gitHubOf(issuer);
  if (server === undefined) return { name: namedByClaims(issuer, claims), url: null };
  const text = (name: string) => claimText(claims, name) ?? "unknown";
  const [, file = "unknown"] = /\/([^/@]+)@/.exec(text("workflow_ref")) ?? [];
  const [repository, run, attempt] = [text("repository"), text("run_id"), text("run_attempt")];
  const path = [...repository.split("/"), "actions", "runs", run, "attempts", attempt];
  const [repositoryName, fileName, runName, attemptName] = [repository, file, run, attempt].map((part) =>
    oneLine(part, MAX_LENGTH),
  );
  return {
    name: `github:${repositoryName} ${fileName} run ${runName} attempt ${attemptName}`,
    url: `${server}/${path.map(encodeURIComponent).join("/")}`,
  };
}

function namedByClaims(issuer: string, claims: Claims): string {
  const { host, pathname } = new URL(issuer);
  const account = serviceAccountIn(claims);
  if (account !== undefined) {
    const cluster = host + pathname.replace(/\/$/, "");
    return `kubernetes:${oneLine(account, MAX_LENGTH)} of ${oneLine(cluster, MAX_LENGTH)}`;
  }
  const subject = claimText(claims, "project_path") ?? claimText(claims, "sub") ?? "unknown";
  return `${host}:${oneLine(subject, MAX_LENGTH)}`;
}
