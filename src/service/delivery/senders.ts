import type { Senders } from "./sent.ts";

/** Who sends to targets of each kind. */
export function makeSenders(): Senders {
  return {};
}
