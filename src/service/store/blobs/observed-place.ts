import { inSpan } from "../../kernel/tracing.ts";
import type { Place } from "./place.ts";

/** Operations on a place that have their own latency. */
type PlaceOperation = "put" | "read" | "check" | "remove" | "write_check";

/** @param done the operation and its duration in seconds, whether it succeeded or failed */
export type PlaceObserver = (done: { operation: PlaceOperation; seconds: number }) => void;

/** Measures the operations of a place. A read lasts until its first bytes, because the client decides the rest. */
export function observedPlace(place: Place, observe: PlaceObserver): Place {
  const timed = async <T>(operation: PlaceOperation, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    return inSpan(() => ({ name: `attachment ${operation}`, kind: "client" }), work).finally(() =>
      observe({ operation, seconds: (performance.now() - startedAt) / 1000 }),
    );
  };
  const glance = place.glance?.bind(place);
  return {
    ...place,
    put: (file, options) => timed("put", () => place.put(file, options)),
    async *read(sha256) {
      const chunks = place.read(sha256)[Symbol.asyncIterator]();
      try {
        const first = await timed("read", () => chunks.next());
        for (let next = first; next.done !== true; next = await chunks.next()) yield next.value;
      } finally {
        await chunks.return?.();
      }
    },
    ...(glance && { glance: (file) => timed("check", () => glance(file)) }),
    remove: (sha256) => timed("remove", () => place.remove(sha256)),
    checkWritable: () => timed("write_check", () => place.checkWritable()),
  };
}
