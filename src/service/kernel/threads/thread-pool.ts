import { availableParallelism } from "node:os";
import { aboutToStop, Busy } from "../errors.ts";
import { FairQueue } from "./fair-queue.ts";
import { type Performed, type TaskLimits, TaskThread } from "./task-thread.ts";

// Threads for code that users wrote (rules, schemas, patterns). Organizations take turns, and none gets all threads.

export interface ThreadPool<Task, Result> {
  /** @throws TaskStopped for a task that exceeds its limits, Busy if too many tasks wait */
  run(orgId: string, task: Task): Promise<Performed<Result>>;
  /** Ends the threads. Running, waiting and later tasks are refused with Busy. */
  close(): Promise<void>;
}

interface PoolOptions {
  /** A module for the threads, which calls `serveTasks`. */
  module: URL;
  limits: TaskLimits;
  size?: number;
}

const MIN_THREADS = 2;
/** Each may use some hundred megabytes. */
const MAX_THREADS = 4;
/** Maximum waiting tasks of one organization. */
export const MAX_WAITING = 100;
const RETRY_AFTER_SECONDS = 5;

interface Job<Task, Result> {
  readonly orgId: string;
  readonly task: Task;
  resolve(performed: Performed<Result>): void;
  reject(error: unknown): void;
}

/** Creates a pool, which starts a thread when a task waits and none is free. */
export function makeThreadPool<Task, Result>({
  module,
  limits,
  size = Math.min(Math.max(Math.floor(availableParallelism() / 2), MIN_THREADS), MAX_THREADS),
}: PoolOptions): ThreadPool<Task, Result> {
  const queue = new FairQueue<Job<Task, Result>>();
  const threads = new Set<TaskThread<Task, Result>>();
  const free: TaskThread<Task, Result>[] = [];
  const running: Job<Task, Result>[] = [];
  const mostOfOne = Math.max(1, size - 1);
  let closed = false;

  function startNext(): void {
    const mayHaveTurn = (orgId: string) => running.filter((job) => job.orgId === orgId).length < mostOfOne;
    while (running.length < size) {
      const job = queue.take(mayHaveTurn);
      if (!job) return;
      running.push(job);
      void perform(job);
    }
  }

  async function perform(job: Job<Task, Result>): Promise<void> {
    try {
      job.resolve(await performed(job.task));
    } catch (error) {
      job.reject(error);
    } finally {
      running.splice(running.indexOf(job), 1);
      startNext();
    }
  }

  async function performed(task: Task): Promise<Performed<Result>> {
    const thread = await freeThread();
    try {
      if (closed) throw aboutToStop();
      const result = await thread.perform(task);
      free.push(thread);
      return result;
    } catch (error) {
      threads.delete(thread);
      await thread.end();
      throw error;
    }
  }

  async function freeThread(): Promise<TaskThread<Task, Result>> {
    for (let thread = free.pop(); thread; thread = free.pop()) {
      if (!thread.hasEnded) return thread;
      threads.delete(thread);
    }
    const thread = await TaskThread.start<Task, Result>(module, limits);
    threads.add(thread);
    return thread;
  }

  return {
    async run(orgId, task) {
      if (closed) throw aboutToStop();
      if (queue.lengthOf(orgId) >= MAX_WAITING) {
        const problem = `Your organization already has ${MAX_WAITING} waiting evaluations: try again`;
        throw new Busy("limit.evaluations", problem, RETRY_AFTER_SECONDS);
      }
      return new Promise((resolve, reject) => {
        queue.add(orgId, { orgId, task, resolve, reject });
        startNext();
      });
    },
    async close() {
      closed = true;
      for (let job = queue.take(() => true); job; job = queue.take(() => true)) job.reject(aboutToStop());
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

/** The URL of a module for threads. It is TypeScript if the importing module is. */
export function threadModule(path: string, importer: string): URL {
  return new URL(importer.endsWith(".ts") ? `${path}.ts` : `${path}.js`, importer);
}
