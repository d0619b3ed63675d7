import { TaskStopped } from "../../kernel/threads/task-thread.ts";
import { makeThreadPool, threadModule } from "../../kernel/threads/thread-pool.ts";
import type { DataVerdict, TypeProblems, TypeRules } from "./evaluation.ts";
import type { EvaluationResult, EvaluationTask } from "./evaluation-thread.ts";

/** Checks custom attestation types of an organization, and judges data by them. */
export interface TypeEvaluator {
  /** @throws Busy when the organization has too much waiting */
  check(orgId: string, type: TypeRules): Promise<TypeProblems>;
  /** @throws Busy when the organization has too much waiting */
  judge(orgId: string, type: TypeRules, data: string): Promise<DataVerdict>;
  /** Ends the threads that do the work. */
  close(): Promise<void>;
}

/** What one check or judgement may take of the processor, in milliseconds. */
const CPU_LIMIT_MS = 2_000;
/** For what is not jq's: the data, the schema and what is made of them. */
const MAX_HEAP_MB = 256;

export function makeTypeEvaluator(cpuMs = CPU_LIMIT_MS): TypeEvaluator {
  const pool = makeThreadPool<EvaluationTask, EvaluationResult>({
    module: threadModule("./evaluation-thread", import.meta.url),
    limits: { cpuMs, heapMb: MAX_HEAP_MB },
  });

  /** The result of a task, or in words why there is none. */
  async function run(orgId: string, task: EvaluationTask): Promise<EvaluationResult | string> {
    try {
      return (await pool.run(orgId, task)).result;
    } catch (error) {
      if (error instanceof TaskStopped) return error.message;
      throw error;
    }
  }

  return {
    async check(orgId, type) {
      const result = await run(orgId, type);
      if (typeof result === "string") return { schema: { "": `the type ${result}` }, rules: {} };
      if (!("problems" in result)) throw new Error("A check was answered with a verdict");
      return result.problems;
    },
    async judge(orgId, type, data) {
      const result = await run(orgId, { ...type, data });
      if (typeof result === "string") {
        return { mismatches: {}, isCompliant: false, results: [], error: `the evaluation ${result}` };
      }
      if (!("verdict" in result)) throw new Error("Data was answered with a check");
      return result.verdict;
    },
    close: () => pool.close(),
  };
}
