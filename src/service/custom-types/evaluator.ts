import { Worker } from "node:worker_threads";
import type { DataVerdict, TypeProblems, TypeRules } from "./evaluation.ts";
import type { EvaluationResult, EvaluationTask } from "./evaluation-thread.ts";

/** Checks custom attestation types, and judges data by them. */
export interface TypeEvaluator {
  check(type: TypeRules): Promise<TypeProblems>;
  judge(type: TypeRules, data: string): Promise<DataVerdict>;
  /** Ends the thread that does the work. */
  close(): Promise<void>;
}

/** What one check or judgement may take, in milliseconds. */
const TIME_LIMIT_MS = 2_000;
/** For what is not jq's: the data, the schema and what is made of them. */
const MAX_HEAP_MB = 256;

/**
 * Makes an evaluator. Its thread starts with the first thing there is to do, takes one after the other, and is
 * replaced when one takes too long.
 */
export function makeTypeEvaluator(timeLimit = TIME_LIMIT_MS): TypeEvaluator {
  let thread: Promise<Worker> | undefined;
  let lastTurn: Promise<unknown> = Promise.resolve();

  async function running(): Promise<Worker> {
    if (thread) return thread;
    const starting = startThread();
    thread = starting;
    const worker = await starting;
    // One that ended by itself is no use to the next task.
    worker.once("exit", () => {
      if (thread === starting) thread = undefined;
    });
    return worker;
  }

  async function end(): Promise<void> {
    const ending = thread;
    thread = undefined;
    await (await ending?.catch(() => undefined))?.terminate();
  }

  async function run(task: EvaluationTask): Promise<EvaluationResult | string> {
    const result = await resultOf(await running(), task, timeLimit);
    if (typeof result === "string") await end();
    return result;
  }

  function inTurn(task: EvaluationTask): Promise<EvaluationResult | string> {
    const turn = lastTurn.then(() => run(task));
    lastTurn = turn.catch(end);
    return turn;
  }

  return {
    async check(type) {
      const result = await inTurn(type);
      if (typeof result === "string") return { schema: { "": `the type ${result}` }, rules: {} };
      if (!("problems" in result)) throw new Error("A check was answered with a verdict");
      return result.problems;
    },
    async judge(type, data) {
      const result = await inTurn({ ...type, data });
      if (typeof result === "string") {
        return { mismatches: {}, isCompliant: false, error: `the evaluation ${result}` };
      }
      if (!("verdict" in result)) throw new Error("Data was answered with a check");
      return result.verdict;
    },
    async close() {
      await lastTurn;
      await end();
    },
  };
}

function startThread(): Promise<Worker> {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const worker = new Worker(new URL(`./evaluation-thread.${extension}`, import.meta.url), {
    execArgv: [],
    // What jq prints when it breaks is of no use to whoever runs the service.
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  // It never keeps a process alive that has nothing else to do.
  worker.unref();
  // An error that nobody listens to would end the service.
  worker.on("error", () => undefined);
  return new Promise((resolve, reject) => {
    worker.once("message", () => {
      worker.off("error", reject);
      resolve(worker);
    });
    worker.once("error", reject);
  });
}

/** The result of a task, or in words why there is none. */
function resultOf(
  worker: Worker,
  task: EvaluationTask,
  timeLimit: number,
): Promise<EvaluationResult | string> {
  return new Promise((resolve) => {
    const settle = (result: EvaluationResult | string) => {
      clearTimeout(timer);
      worker.off("message", settle).off("error", broken).off("exit", broken);
      resolve(result);
    };
    const broken = () => settle("needs more memory than it may use");
    const timer = setTimeout(() => settle(`took longer than ${timeLimit / 1000} seconds`), timeLimit);
    worker.on("message", settle).on("error", broken).on("exit", broken);
    worker.postMessage(task);
  });
}
