interface Entry {
  readonly callback: () => void;
  /** Index in the list; negative once it is removed. */
  at: number;
}

/** Callbacks of running requests by their signal, with the one listener that calls them. */
const known = new WeakMap<AbortSignal, { readonly entries: Entry[]; readonly listener: () => void }>();

/**
 * Calls back when a signal aborts, until the returned function is called.
 *
 * Requests that share a signal have one listener and an array. Node's removed listeners, and the former tables of a Set,
 * stay linked to later ones. Once one of them is old, the garbage of thousands of requests survives with it.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const { entries } = known.get(signal) ?? listenTo(signal);
  const entry = { callback, at: entries.length };
  entries.push(entry);
  return () => remove(signal, entries, entry);
}

function listenTo(signal: AbortSignal) {
  const entries: Entry[] = [];
  const listener = () => {
    for (const { callback } of [...entries]) callback();
  };
  const made = { entries, listener };
  known.set(signal, made);
  signal.addEventListener("abort", listener, { once: true });
  return made;
}

/** The last entry takes the place of the removed one. */
function remove(signal: AbortSignal, entries: Entry[], entry: Entry): void {
  if (entry.at < 0) return;
  const last = entries.pop();
  if (last !== undefined && last !== entry) {
    entries[entry.at] = last;
    last.at = entry.at;
  }
  entry.at = -1;
  const all = known.get(signal);
  if (entries.length > 0 || all === undefined) return;
  // A signal with a listener is never collected.
  known.delete(signal);
  signal.removeEventListener("abort", all.listener);
}
