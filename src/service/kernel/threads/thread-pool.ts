import { availableParallelism } from "node:os";
import { aboutToStop } from "../errors.ts";
import { FairTurns } from "./fair-turns.ts";
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

/** Creates a pool, which starts a thread when a task waits and none is free. */
export function makeThreadPool<Task, Result>({
  module,
  limits,
  size = Math.min(Math.max(Math.floor(availableParallelism() / 2), MIN_THREADS), MAX_THREADS),
}: PoolOptions): ThreadPool<Task, Result> {
  const turns = new FairTurns(size);
  const threads = new Set<TaskThread<Task, Result>>();
  const free: TaskThread<Task, Result>[] = [];

  async function performed(task: Task): Promise<Performed<Result>> {
    const thread = await freeThread();
    try {
      if (turns.isClosed) throw aboutToStop();
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
    run: (orgId, task) => turns.run(orgId, () => performed(task)),
    async close() {
      turns.close();
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

/** The URL of a module for threads. It is TypeScript if the importing module is. */
export function threadModule(path: string, importer: string): URL {
  return new URL(importer.endsWith(".ts") ? `${path}.ts` : `${path}.js`, importer);
}
