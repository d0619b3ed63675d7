import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { aboutToStop, Busy } from "../errors.ts";

export interface TaskLimits {
  cpuMs: number;
  heapMb: number;
}

/** A task that exceeded its limits. The message is a predicate with the task as subject: `needs more memory than …`. */
export class TaskStopped extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "TaskStopped";
  }
}

export interface Performed<Result> {
  result: Result;
  cpuMs: number;
}

/** Timeout for a machine so busy that a task makes no progress. */
const STALL_TIMEOUT_MS = 60_000;

/** A thread that performs one task after another. It is discarded after a failed task. */
export class TaskThread<Task, Result> {
  readonly #worker: Worker;
  readonly #limits: TaskLimits;
  #hasEnded = false;
  #isEnding = false;

  private constructor(worker: Worker, limits: TaskLimits) {
    this.#worker = worker;
    this.#limits = limits;
    worker.once("exit", () => {
      this.#hasEnded = true;
    });
    // An unhandled error event would end the service.
    worker.on("error", () => undefined);
    // An idle thread does not keep the process alive.
    worker.unref();
  }

  /** Starts a thread with a module that calls `serveTasks`. */
  static async start<Task, Result>(module: URL, limits: TaskLimits): Promise<TaskThread<Task, Result>> {
    const worker = new Worker(module, {
      execArgv: [],
      // Output of the thread does not concern the operator.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMb },
    });
    const thread = new TaskThread<Task, Result>(worker, limits);
    await new Promise((resolve, reject) => worker.once("message", resolve).once("error", reject));
    return thread;
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Counts only the thread's own CPU time. @throws TaskStopped, or Busy when the machine is too busy */
  async perform(task: Task): Promise<Performed<Result>> {
    const before = this.#cpuTime();
    const over = new AbortController();
    try {
      const result = await Promise.race([
        this.#resultOf(task),
        this.#stopAtLimit(before, over.signal),
        this.#stopAtStandstill(over.signal),
      ]);
      return { result, cpuMs: Math.max(0, (await this.#cpuTime()) - (await before)) };
    } finally {
      over.abort();
    }
  }

  /** Ends the thread. A task in progress is refused with Busy. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#worker.terminate();
  }

  #resultOf(task: Task): Promise<Result> {
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      const leave = () => worker.off("message", done).off("error", broken).off("exit", ended);
      const done = (result: Result) => {
        leave();
        resolve(result);
      };
      const broken = (error: unknown) => {
        leave();
        reject(isAboutMemory(error) ? outOfMemory() : error);
      };
      // A thread that runs out of memory may end without an error, and a stopped one without a result.
      const ended = () => broken(this.#isEnding ? aboutToStop() : outOfMemory());
      worker.on("message", done).on("error", broken).on("exit", ended);
      worker.postMessage(task);
    });
  }

  async #stopAtLimit(before: Promise<number>, signal: AbortSignal): Promise<never> {
    const { cpuMs } = this.#limits;
    let left = cpuMs;
    while (left > 0) {
      // CPU time cannot exceed elapsed time, so an earlier check is unnecessary.
      await delay(Math.max(left, 10), undefined, { signal, ref: false });
      left = cpuMs - ((await this.#cpuTime()) - (await before));
    }
    throw new TaskStopped(`takes more than ${cpuMs / 1000} seconds of processor time`);
  }

  async #stopAtStandstill(signal: AbortSignal): Promise<never> {
    await delay(STALL_TIMEOUT_MS, undefined, { signal, ref: false });
    throw new Busy("service.busy", "The service is too busy to evaluate this: try again", 10);
  }

  async #cpuTime(): Promise<number> {
    // Some releases between Node 23.0 and 24.5 lack `cpuUsage`. There, elapsed time counts.
    if (!("cpuUsage" in this.#worker)) return performance.now();
    // A thread that has ended reports nothing, and its exit event is handled elsewhere.
    const { user, system } = await this.#worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
    return (user + system) / 1000;
  }
}

function outOfMemory(): TaskStopped {
  return new TaskStopped("needs more memory than it may use");
}

/** Whether a thread failed because its heap, its stack or the memory of WebAssembly was full. */
function isAboutMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return code === "ERR_WORKER_OUT_OF_MEMORY" || error instanceof RangeError || error.name === "RuntimeError";
}
