import type { Links } from "../kernel/links.ts";
import type { LongWork } from "../kernel/long-work.ts";
import type { PatternMatcher } from "../patterns/pattern-matcher.ts";
import type { Attachments } from "../store/blobs/attachments.ts";
import type { Store } from "../store/store.ts";
import type { TypeEvaluator } from "../type-rules/evaluator.ts";

/** What every operation works with. */
export interface ServiceContext {
  readonly store: Store;
  readonly attachments: Attachments;
  readonly longWork: LongWork;
  readonly links: Links;
  readonly typeEvaluator: TypeEvaluator;
  readonly patterns: PatternMatcher;
  /** The time, in Unix seconds with a fraction. */
  readonly now: () => number;
}
