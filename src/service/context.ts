import type { Attachments } from "./attachments.ts";
import type { Links } from "./links.ts";
import type { Store } from "./store/store.ts";

/** What every operation has at hand. */
export interface ServiceContext {
  readonly store: Store;
  readonly attachments: Attachments;
  readonly links: Links;
  /** The time, in Unix seconds with a fraction. */
  readonly now: () => number;
}
