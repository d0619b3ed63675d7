import { serveTasks } from "../../kernel/threads/serve-tasks.ts";
import { checkType, type DataVerdict, evaluate, type TypeProblems, type TypeRules } from "./evaluation.ts";

/** Evaluates untrusted schemas and rules in a thread, which bounds their time and memory. */

export interface EvaluationTask extends TypeRules {
  /** JSON text. Absent if only the type is checked. */
  data?: string;
}

export type EvaluationResult = { problems: TypeProblems } | { verdict: DataVerdict };

/** Memory of one jq run, in bytes. */
const MAX_WASM_BYTES = 256 * 1024 * 1024;
const WASM_PAGE_BYTES = 64 * 1024;

const { grow } = WebAssembly.Memory.prototype;
WebAssembly.Memory.prototype.grow = function growWithin(this: WebAssembly.Memory, pages: number) {
  if (this.buffer.byteLength + pages * WASM_PAGE_BYTES > MAX_WASM_BYTES) {
    throw new RangeError("The memory limit was reached");
  }
  return grow.call(this, pages);
};

serveTasks(
  async ({ data, ...type }: EvaluationTask): Promise<EvaluationResult> =>
    data === undefined ? { problems: await checkType(type) } : { verdict: await evaluate(type, data) },
);
