import { setTimeout as delay } from "node:timers/promises";
import type { ServiceContext } from "../operation/context.ts";
import type { Answer } from "./error-answer.ts";

/** Anybody may ask, and each answer costs a write: for so long one answer is given to all. */
const FRESH_MS = 1_000;
/** Whoever watches seldom waits for more than a second. */
const PATIENCE_MS = 500;
/** A commit no older than this shows that writes work. No transaction takes nearly so long. */
const RECENT_MS = 60_000;

type Kept = Pick<ServiceContext, "store" | "attachments">;

/** The answers to those who watch the service: load balancers, and people with dashboards. */
export function makeHealth(kept: Kept, version: string) {
  const problem = remembered(() => findProblem(kept));
  const statusOf = (reason: string | undefined) => (reason === undefined ? 200 : 503);
  const headers = { "x-version": version };
  return {
    /** 200 and `OK`, or 503 and the reason, as text. */
    async ready(): Promise<Answer> {
      const reason = await problem();
      const type = { "content-type": "text/plain; charset=utf-8" };
      return { status: statusOf(reason), headers: { ...headers, ...type }, body: reason ?? "OK" };
    },
    /** 200 or 503 with the reason, the version and what is damaged, as JSON. */
    async health(): Promise<Answer> {
      const reason = await problem();
      const body = { status: reason ?? "OK", version, attachments: kept.attachments.damage() };
      return { status: statusOf(reason), headers, body: JSON.stringify(body) };
    },
  };
}

/** Why the service cannot serve, if it cannot. */
async function findProblem({ store, attachments }: Kept): Promise<string | undefined> {
  try {
    await store.read.selectNoFrom(({ lit }) => lit(1).as("one")).execute();
  } catch (error) {
    return `The records cannot be read: ${reasonIn(error)}`;
  }
  try {
    await checkWritable(store);
  } catch (error) {
    return `The records cannot be written: ${reasonIn(error)}`;
  }
  try {
    await attachments.checkWritable();
  } catch (error) {
    return `Attachments cannot be written: ${reasonIn(error)}`;
  }
  return undefined;
}

/** A write waits for all those before it, which may be large: then the last commit tells whether writing works. */
async function checkWritable(store: Kept["store"]): Promise<void> {
  const checked = store.checkWritable();
  await Promise.race([checked, delay(PATIENCE_MS, undefined, { ref: false })]);
  const committedAt = store.committedAt();
  if (committedAt === undefined || performance.now() - committedAt > RECENT_MS) await checked;
}

/** An error of the file system in one word: what else it says is a path, which is not for everybody. */
function reasonIn(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "syscall" in error && "code" in error ? String(error.code) : error.message;
}

/** Asks once for all who ask within a moment. */
function remembered<T>(ask: () => Promise<T>): () => Promise<T> {
  let last: { askedAt: number; answer: Promise<T> } | undefined;
  return () => {
    const now = performance.now();
    if (last === undefined || now - last.askedAt >= FRESH_MS) last = { askedAt: now, answer: ask() };
    return last.answer;
  };
}
