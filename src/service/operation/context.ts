import type { TargetRules } from "../delivery/outgoing/target-address.ts";
import type { PatternMatcher } from "../judging/patterns/pattern-matcher.ts";
import type { PolicyEngine } from "../judging/policy-engine.ts";
import type { TypeEvaluator } from "../judging/type-rules/evaluator.ts";
import type { Leaf, Organization } from "../kernel/caller.ts";
import type { Links } from "../kernel/links.ts";
import type { Log } from "../kernel/log.ts";
import type { LongWork } from "../kernel/long-work.ts";
import type { Attachments } from "../store/blobs/attachments.ts";
import type { Store } from "../store/store.ts";

interface Deliveries {
  /** Checks for new deliveries. Call it within the write that adds one; the check is also a write, so it runs later. */
  wake(): void;
  /** Attempts one delivery now, in any state, and resolves when the attempt is recorded. */
  attempt(deliveryId: string): Promise<void>;
}

/** Encrypts secrets, so that reading the records alone reveals nothing. */
export interface SecretBox {
  /** A sealed secret opens only for its owner. @throws Conflict when the service has no key */
  seal(owner: string, text: string): string;
  /** @throws Conflict when the service has no key, or not the one that sealed the secret */
  open(owner: string, sealed: string): string;
  /** A digest for finding a secret. Without a key, it is a plain sha256. */
  hash(text: string): string;
}

/** The evidence log of each organization. */
export interface EvidenceLog {
  /**
   * Adds the events of an organization to its log, and signs its checkpoint. Without a key for secrets, it signs none.
   *
   * @throws LogRefused when the records do not continue the last checkpoint
   */
  keepUp(org: Pick<Organization, "id" | "name">): Promise<void>;
}

/** Everything that operations use. */
export interface ServiceContext {
  readonly store: Store;
  /** Writes records of several organizations. Other writes wait meanwhile. */
  readonly writeAll: Store["write"];
  readonly attachments: Attachments;
  readonly longWork: LongWork;
  readonly links: Links;
  readonly typeEvaluator: TypeEvaluator;
  readonly patterns: PatternMatcher;
  /** Present with `--opa`, in the main thread. */
  readonly policyEngine: PolicyEngine | undefined;
  readonly deliveries: Deliveries;
  readonly secrets: SecretBox;
  readonly evidenceLog: EvidenceLog;
  readonly issuers: Issuers;
  /** Names of the login providers in the operator's file. Organizations may have others. */
  readonly serviceLogins: readonly string[];
  /** Name of the organization whose admins operate the service. */
  readonly operators: string | undefined;
  readonly targetRules: TargetRules;
  /** Notification rules of one organization; 0 is no limit. */
  readonly maxRules: number;
  readonly log: Log;
  /** Events that the writes of this request have recorded, in order. Absent outside of requests to the API. */
  readonly leaves?: Leaf[];
  /** The time, in Unix seconds with a fraction. */
  readonly now: () => number;
}

/**
 * Returns the context of operations of one organization. They write only its records.
 *
 * @param leaves takes the events of committed writes, which follow each other
 */
export function ofOrganization(
  context: ServiceContext,
  { id }: Organization,
  leaves: Leaf[] = [],
): ServiceContext {
  const { store } = context;
  const writeOf =
    (bound: { readonly orgId?: string }): Store["write"] =>
    async (work, options) => {
      const committed = leaves.length;
      const forget = () => leaves.splice(committed);
      const run: typeof work = (db) => {
        // The write may run again.
        forget();
        return work(db);
      };
      try {
        return await store.write(run, { ...options, ...bound });
      } catch (error) {
        forget();
        throw error;
      }
    };
  return { ...context, leaves, store: { ...store, write: writeOf({ orgId: id }) }, writeAll: writeOf({}) };
}

/** CI systems whose projects or pipelines a trust policy names in `project`. */
export type ProjectKindName = "gitlab" | "azure" | "circleci" | "buildkite" | "bitbucket";

export type IssuerKindName = "github" | "kubernetes" | ProjectKindName | "other";

/** A token with a valid signature, issuer, audience and times. */
export interface ProvenToken {
  readonly issuer: string;
  readonly kind: IssuerKindName;
  /** The keys of a trust policy that its signature fits; null if they are the issuer's own. */
  readonly jwks: string | null;
  /** Null if the token can be exchanged more than once. */
  readonly id: string | null;
  /** Unix seconds. */
  readonly expiresAt: number;
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface Issuers {
  /** As in the `iss` claim of their tokens. */
  readonly urls: readonly string[];
  /**
   * Checks a token except for reuse.
   *
   * @param trusted returns the keys in trust policies for other issuers; null means the keys that an issuer
   * publishes
   * @throws Unproven, Busy
   */
  verify(
    token: string,
    audience: string,
    trusted: (issuer: string) => Promise<readonly (string | null)[]>,
  ): Promise<ProvenToken>;
}
