import { isSameName } from "../../../kernel/github-names.ts";
import { oneLine } from "../../../kernel/one-line.ts";
import type { Proof } from "../../../kernel/proof.ts";
import type { IssuerKindName, ProjectKindName } from "../../../operation/context.ts";
import { type Claims, claimText } from "../claims.ts";

/** A system whose tokens a trust policy can accept. */
export interface IssuerKind {
  /** Algorithms of signatures. */
  readonly algorithms: readonly string[];
  /** Claims that identify a token, which can be exchanged once: the first that it has. Empty: until it expires. */
  readonly replay: readonly string[];
  /** Maximum lifetime of a token in seconds. */
  readonly lifetime: number;
  /** Audience of every token. Absent: the address of the organization at this service. */
  readonly audience?: string;
  /** Whether a policy can name issuers that the operator does not. They count for its organization only. */
  readonly isNamedByPolicy: boolean;
  /** Claim that problems of the name are listed under. */
  readonly nameClaim: string;
  /** Columns of the pinned ids by claim. */
  readonly ids: Readonly<Record<string, IdColumn>>;
  /** Claims whose values no policy can waive. */
  readonly always?: Readonly<Record<string, { readonly fits: RegExp; readonly problem: string }>>;
  /** Claims that each policy must restrict. */
  readonly restricted?: readonly string[];
  /** Runs that outsiders can cause. They need a policy that lists them. */
  readonly outsiders?: {
    readonly claim: string;
    readonly noun: string;
    isOutside(value: string): boolean;
  };
  /** Whether the name must match even if the ids do, because runs of forks have the same ids. */
  readonly keepsName?: true;
  nameOf(claims: Claims): string | undefined;
  isNamed(name: string, subject: string): boolean;
  /** The claims that identify a subject, the decisive one last. */
  idsOf(subject: string): readonly string[];
  /** The ids in the address of an issuer. */
  idsIn?(issuer: string): Readonly<Record<string, string>>;
  /** The ids that a policy needs, because the names in tokens of the issuer identify nothing. */
  requiredIds?(issuer: string): readonly string[];
  /** Format of names in policies, with its placeholder. */
  readonly format?: { readonly fits: RegExp; readonly text: string };
  /** Whether the token's sender may see the problems of a policy. */
  isOwn(policy: Subject, claims: Claims): boolean;
  named(issuer: string, claims: Claims): Named;
  proofOf(issuer: string, claims: Claims): Proof;
}

export type IdColumn = "repository_id" | "repository_owner_id" | "service_account_uid" | "project_ids";

export type { IssuerKindName, ProjectKindName };

export interface Subject {
  readonly kind: IssuerKindName;
  /** `acme/web`, `acme/*` or `namespace/account`; null for policies without a name. */
  readonly subject: string | null;
  /** Required ids by claim; null if any id matches. */
  readonly ids: Readonly<Partial<Record<string, string | null>>>;
}

export interface Named {
  /** `github:acme/web build.yml run 123 attempt 1`, `kubernetes:web/reporter of oidc.example.com/id/1` */
  readonly name: string;
  /** The page of the run; null if unknown. */
  readonly url: string | null;
}

export const DAY = 24 * 60 * 60;

/** GitHub's limit for names. */
const MAX_LENGTH = 255;

/** The text of a claim for people, in one line. */
export function shown(claims: Claims, claim: string): string {
  return oneLine(claimText(claims, claim) ?? "unknown", MAX_LENGTH);
}

export function shortened(text: string): string {
  return oneLine(text, MAX_LENGTH);
}

/** `acme/*` is every repository of the owner. */
export function isOfOwner(subject: string): boolean {
  return subject.endsWith("/*");
}

/** The branch of a full ref. Undefined for tags and pull requests. */
export function branchOf(ref: string | undefined): string | undefined {
  return ref?.startsWith("refs/heads/") ? ref.slice("refs/heads/".length) : undefined;
}

/** An address whose path consists of these parts. */
export function page(server: string, ...parts: readonly string[]): string {
  return [server.replace(/\/$/, ""), ...parts.map(encodeURIComponent)].join("/");
}

type ProjectParts = Pick<IssuerKind, "replay" | "nameClaim" | "format" | "nameOf" | "named" | "proofOf"> & {
  /** The claims that identify a project, the decisive one last. */
  readonly ids: readonly string[];
} & Partial<
    Pick<
      IssuerKind,
      | "always"
      | "audience"
      | "idsIn"
      | "idsOf"
      | "isNamed"
      | "keepsName"
      | "outsiders"
      | "requiredIds"
      | "restricted"
    >
  >;

/** A CI system, whose tokens are signed with RS256. */
export function projectKind({ ids, ...parts }: ProjectParts): IssuerKind {
  const kind: IssuerKind = {
    algorithms: ["RS256"],
    lifetime: DAY,
    isNamedByPolicy: true,
    isNamed: isSameName,
    idsOf: () => ids,
    isOwn({ subject, ids: pinned }, claims) {
      const decisive = subject === null ? ids.at(-1) : kind.idsOf(subject).at(-1);
      const id = decisive === undefined ? null : (pinned[decisive] ?? null);
      if (decisive !== undefined && id !== null) return claimText(claims, decisive) === id;
      const name = kind.nameOf(claims);
      return subject !== null && name !== undefined && kind.isNamed(name, subject);
    },
    ...parts,
    ids: Object.fromEntries(ids.map((claim) => [claim, "project_ids"])),
  };
  return kind;
}
