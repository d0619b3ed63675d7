/** The sha256 of each event that a write recorded, as `sha256:<hex>`. They are entries of the evidence log. */
export const LEAF_HEADER = "X-Evidence-Leaf";
/** The ID of each of these events, in the same order. */
export const EVENT_HEADER = "X-Evidence-Event";
