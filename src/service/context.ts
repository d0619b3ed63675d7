import type { Attachments } from "./attachments.ts";
import type { BodyMemory } from "./body-memory.ts";
import type { TypeEvaluator } from "./custom-types/evaluator.ts";
import type { RateLimits } from "./http/rate-limits.ts";
import type { KeyUse } from "./key-use.ts";
import type { Links } from "./links.ts";
import type { LongWork } from "./long-work.ts";
import type { PatternMatcher } from "./patterns/pattern-matcher.ts";
import type { Store } from "./store/store.ts";

/** What every operation has at hand. */
export interface ServiceContext {
  readonly store: Store;
  readonly attachments: Attachments;
  readonly bodyMemory: BodyMemory;
  readonly longWork: LongWork;
  readonly keyUse: KeyUse;
  readonly rateLimits: RateLimits;
  readonly links: Links;
  readonly typeEvaluator: TypeEvaluator;
  readonly patterns: PatternMatcher;
  /** The time, in Unix seconds with a fraction. */
  readonly now: () => number;
}
