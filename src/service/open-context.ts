import { type TargetOptions, targetRules } from "./delivery/outgoing/target-address.ts";
import { makePatternMatcher } from "./judging/patterns/pattern-matcher.ts";
import { makeTypeEvaluator } from "./judging/type-rules/evaluator.ts";
import type { Links } from "./kernel/links.ts";
import type { Log } from "./kernel/log.ts";
import { LongWork } from "./kernel/long-work.ts";
import type { Deliveries, SecretBox, ServiceContext } from "./operation/context.ts";
import { type IssuerOptions, openIssuers } from "./people/identity/issuers.ts";
import { type Attachments, openAttachments } from "./store/blobs/attachments.ts";
import type { Place } from "./store/blobs/place.ts";
import type { Store } from "./store/store.ts";

interface ContextOptions {
  store: Store;
  place: Place;
  /** A folder for files while they arrive, of this thread alone. */
  incoming: string;
  links: Links;
  deliveries: Deliveries;
  secrets: SecretBox;
  outgoing: TargetOptions;
  maxRules: number;
  issuers: readonly IssuerOptions[];
  now: () => number;
  log: Log;
  /** Puts something around the attachments that watches them. */
  watch?: (attachments: Attachments) => Attachments;
}

/** Opens what every thread that answers requests has of its own. */
export async function openContext(
  options: ContextOptions,
): Promise<{ context: ServiceContext; close(): Promise<void> }> {
  const {
    store,
    place,
    incoming,
    links,
    deliveries,
    secrets,
    outgoing,
    maxRules,
    issuers: trusted,
    now,
    log,
    watch = (attachments) => attachments,
  } = options;
  const attachments = watch(await openAttachments({ place, incoming, store, now, log }));
  const typeEvaluator = makeTypeEvaluator();
  const patterns = makePatternMatcher();
  const issuers = openIssuers({ issuers: trusted, outgoing, now, log });
  return {
    context: {
      store,
      attachments,
      longWork: new LongWork(),
      links,
      typeEvaluator,
      patterns,
      deliveries,
      secrets,
      issuers,
      targetRules: targetRules(outgoing),
      maxRules,
      now,
    },
    async close() {
      await issuers.close();
      await patterns.close();
      await typeEvaluator.close();
    },
  };
}
