import { TaskStopped } from "../../kernel/threads/task-thread.ts";
import { makeThreadPool, threadModule } from "../../kernel/threads/thread-pool.ts";
import type { DataVerdict, TypeProblems, TypeRules } from "./evaluation.ts";
import type { EvaluationResult, EvaluationTask } from "./evaluation-thread.ts";

export interface TypeEvaluator {
  /** @throws Busy if too many tasks of the organization are waiting */
  check(orgId: string, type: TypeRules): Promise<TypeProblems>;
  /** @throws Busy if too many tasks of the organization are waiting */
  evaluate(orgId: string, type: TypeRules, data: string): Promise<DataVerdict>;
  close(): Promise<void>;
}

/** Processor time of one task, in milliseconds. */
const CPU_LIMIT_MS = 2_000;
/** Memory for data and schema. jq has its own limit. */
const MAX_HEAP_MB = 256;

export function makeTypeEvaluator(cpuMs = CPU_LIMIT_MS): TypeEvaluator {
  const pool = makeThreadPool<EvaluationTask, EvaluationResult>({
    module: threadModule("./evaluation-thread", import.meta.url),
    limits: { cpuMs, heapMb: MAX_HEAP_MB },
  });

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
      if (!("problems" in result)) throw new Error("The worker returned a result for a check request");
      return result.problems;
    },
    async evaluate(orgId, type, data) {
      const result = await run(orgId, { ...type, data });
      if (typeof result === "string") {
        return { mismatches: {}, isCompliant: false, results: [], error: `the evaluation ${result}` };
      }
      if (!("verdict" in result)) throw new Error("The worker returned a check result for a data request");
      return result.verdict;
    },
    close: () => pool.close(),
  };
}
