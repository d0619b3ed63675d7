import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { aboutToStop, Busy } from "../errors.ts";

export interface TaskLimits {
  cpuMs: number;
  heapMb: number;
}

/** A task that used more than it may. The message is the end of a sentence about it: `needs more memory than …`. */
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

/** On a machine so busy that a task gets nowhere for so long, somebody else must end the wait. */
const STANDSTILL_MS = 60_000;

/** A thread that performs one task after the other. After a task has failed it is of no more use. */
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
    // An error that nobody listens to would end the service.
    worker.on("error", () => undefined);
    // It never keeps a process alive that has nothing else to do.
    worker.unref();
  }

  /** Starts a thread that runs a module, which calls `serveTasks`. */
  static async start<Task, Result>(module: URL, limits: TaskLimits): Promise<TaskThread<Task, Result>> {
    const worker = new Worker(module, {
      execArgv: [],
      // What is printed in there is of no use to whoever runs the service.
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

  /** What it performs is refused with Busy. */
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
      // A thread that fills its memory may end without an error; one that was told to end says nothing of its task.
      const ended = () => broken(this.#isEnding ? aboutToStop() : outOfMemory());
      worker.on("message", done).on("error", broken).on("exit", ended);
      worker.postMessage(task);
    });
  }

  async #stopAtLimit(before: Promise<number>, signal: AbortSignal): Promise<never> {
    const { cpuMs } = this.#limits;
    let left = cpuMs;
    while (left > 0) {
      // A thread cannot work for longer than the time that passes: there is no need to look before.
      await delay(Math.max(left, 10), undefined, { signal, ref: false });
      left = cpuMs - ((await this.#cpuTime()) - (await before));
    }
    throw new TaskStopped(`takes more than ${cpuMs / 1000} seconds of processor time`);
  }

  async #stopAtStandstill(signal: AbortSignal): Promise<never> {
    await delay(STANDSTILL_MS, undefined, { signal, ref: false });
    throw new Busy("service.busy", "The service is too busy to evaluate this: try again", 10);
  }

  async #cpuTime(): Promise<number> {
    // Some releases between Node 23.0 and 24.5 cannot tell; there all time counts that passes.
    if (!("cpuUsage" in this.#worker)) return performance.now();
    // One that has ended tells nothing more, and its end is noticed without this.
    const { user, system } = await this.#worker.cpuUsage().catch(() => ({ user: 0, system: 0 }));
    return (user + system) / 1000;
  }
}

function outOfMemory(): TaskStopped {
  return new TaskStopped("needs more memory than it may use");
}

/** Whether a thread broke because its heap, its stack or the memory of WebAssembly was full. */
function isAboutMemory(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return code === "ERR_WORKER_OUT_OF_MEMORY" || error instanceof RangeError || error.name === "RuntimeError";
}
