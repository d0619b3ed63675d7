import type { TargetRules } from "../delivery/outgoing/target-address.ts";
import type { PatternMatcher } from "../judging/patterns/pattern-matcher.ts";
import type { TypeEvaluator } from "../judging/type-rules/evaluator.ts";
import type { Links } from "../kernel/links.ts";
import type { LongWork } from "../kernel/long-work.ts";
import type { Attachments } from "../store/blobs/attachments.ts";
import type { Store } from "../store/store.ts";

interface Deliveries {
  /** Called within the write that adds a delivery; looking is a write too, and comes after it. */
  wake(): void;
  /** Tries one delivery now, whatever its state, and resolves when the attempt is on record. */
  attempt(deliveryId: string): Promise<void>;
}

/** Keeps secrets in a form that tells nothing to who reads the records alone. */
export interface SecretBox {
  /** A sealed secret opens only for its owner. @throws Conflict when the service has no key */
  seal(owner: string, text: string): string;
  /** @throws Conflict when the service has no key, or another one than it was sealed with */
  open(owner: string, sealed: string): string;
  /** A digest to find a secret by. Without a key it is a plain sha256. */
  hash(text: string): string;
}

/** What every operation works with. */
export interface ServiceContext {
  readonly store: Store;
  readonly attachments: Attachments;
  readonly longWork: LongWork;
  readonly links: Links;
  readonly typeEvaluator: TypeEvaluator;
  readonly patterns: PatternMatcher;
  readonly deliveries: Deliveries;
  readonly secrets: SecretBox;
  readonly issuers: Issuers;
  readonly targetRules: TargetRules;
  /** Notification rules of one organization; 0 is no limit. */
  readonly maxRules: number;
  /** The time, in Unix seconds with a fraction. */
  readonly now: () => number;
}

/** A token whose signature, issuer, audience and times are right. */
export interface ProvenToken {
  readonly issuer: string;
  readonly id: string;
  /** Unix seconds. */
  readonly expiresAt: number;
  readonly claims: Readonly<Record<string, unknown>>;
}

export interface Issuers {
  /** As their tokens name them. */
  readonly urls: readonly string[];
  /** Checks a token except for reuse. @throws Unproven, Busy */
  verify(token: string, audience: string): Promise<ProvenToken>;
}
