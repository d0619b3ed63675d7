/** A notification target in the shape of the wire, as it is stored. */
export interface StoredTarget {
  type: string;
  webhook?: string;
  [field: string]: unknown;
}

/**
 * A target as it is answered. The address of a webhook is a secret: whoever has it can write into the channel. It is
 * shown whole only to those who may change it.
 */
export function targetView(target: StoredTarget, { whole }: { whole: boolean }): StoredTarget {
  const context = target.type === "SLACK" ? { context: null } : {};
  const shown = { ...context, last_success_at: null, last_failure_at: null, ...target };
  return whole || target.webhook === undefined ? shown : { ...shown, webhook: shortened(target.webhook) };
}

/** The end of an address says which one it is, but of a short secret it would be all. */
const SHORTEST_SECRET = 12;
const SHOWN_CHARACTERS = 4;

/**
 * Host and last four characters: `hooks.slack.com/…a1b2`. It is no web address, so that the service refuses it when
 * it is sent back as one.
 */
function shortened(address: string): string {
  const { host, pathname, search, hash } = new URL(address);
  const secret = `${pathname}${search}${hash}`;
  const end = secret.length < SHORTEST_SECRET ? "" : secret.slice(-SHOWN_CHARACTERS);
  return `${host}/…${end}`;
}
