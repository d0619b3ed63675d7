import { setTimeout as delay } from "node:timers/promises";
import type { OperationShape } from "../../api/operation.ts";
import type { Reading, Store } from "../store/store.ts";
import { isUnavailable } from "../store/unavailable.ts";
import type { ServiceContext } from "./context.ts";

/** Whether the answer may lack the latest writes of other instances. The answer to an assert never may. */
export function mayReadCopy({ method, access }: Pick<OperationShape, "method" | "access">): boolean {
  return method === "GET" && access !== "assert" && access !== "public";
}

/**
 * Answers a request that only reads, on a copy of the records if there is one. Whatever fails there runs again on the
 * primary, which may have the record that the copy lacks.
 */
export async function onCopy<T>(
  context: ServiceContext,
  answer: (context: ServiceContext) => Promise<T>,
): Promise<T> {
  const { store } = context;
  if (store.copy === undefined) return answer(context);
  const on = (reading: Reading) => answer({ ...context, store: { ...store, ...reading } });
  return on(store.copy("own")).catch(() => unlessAway(store, on));
}

type Records = Pick<Store, keyof Reading | "copy">;

/** Time to wait for the primary to find a caller, if a copy can. */
const SOON_MS = 1_000;

/** Finds the caller of a request that may read a copy: on the primary, or on a copy if the primary does not answer. */
export function findCaller<T>(store: Records, find: (reading: Reading) => Promise<T>): Promise<T> {
  return unlessAway(store, find, SOON_MS);
}

/** Reads on the primary, and on a copy if the primary is unavailable or takes longer than `waitMs`. */
async function unlessAway<T>(
  store: Records,
  read: (reading: Reading) => Promise<T>,
  waitMs?: number,
): Promise<T> {
  const asked = read(store);
  if (store.copy === undefined) return asked;
  const answered = asked.then(
    (answer) => ({ answer }),
    (error: unknown) => {
      if (!isUnavailable(error)) throw error;
    },
  );
  const late = waitMs === undefined ? [] : [delay(waitMs, undefined, { ref: false })];
  const found = await Promise.race([answered, ...late]);
  return found === undefined ? read(store.copy("recent")).catch(() => asked) : found.answer;
}
