import startJq from "jq-wasm/dist/build/jq.js";

/** One run of jq; throws an `Error` with jq's output on failure. */
interface Jq {
  raw(json: string, filter: string, flags: readonly string[]): Promise<string>;
}

export interface RulesVerdict {
  isCompliant: boolean;
  /** In rule order, up to the first error. */
  results: boolean[];
  /** The reason that a rule had no result. The data is then non-compliant. */
  error?: string;
}

/** Undefined for a valid rule. */
export async function problemOfRule(rule: string): Promise<string | undefined> {
  // Compiles the rule without running it, which finds undefined functions.
  const program = `def rule: (${rule}\n); if . == . then empty else rule end`;
  try {
    await jqRun(program, "null");
    return undefined;
  } catch (error) {
    return reasonOf(error, program, rule);
  }
}

export async function applyRules(rules: readonly string[], data: string): Promise<RulesVerdict> {
  const results: boolean[] = [];
  for (const [index, rule] of rules.entries()) {
    const outcome = await applyRule(rule, data);
    if (typeof outcome === "string") {
      return { isCompliant: false, results, error: `rule ${index + 1} (${shortened(rule)}): ${outcome}` };
    }
    results.push(outcome);
  }
  return { isCompliant: !results.includes(false), results };
}

async function applyRule(rule: string, data: string): Promise<boolean | string> {
  try {
    const results = (await jqRun(rule, data)).split("\n").filter((line) => line !== "");
    const [other] = results.filter((result) => result !== "true" && result !== "false");
    if (other !== undefined) return `returned ${shortened(other)}, which is neither true nor false`;
    if (results.length === 0) return "returned no result";
    return results.every((result) => result === "true");
  } catch (error) {
    return reasonOf(error, rule, rule);
  }
}

/** Runs before an instance is replaced, because it does not free all its memory. */
const RUNS_PER_INSTANCE = 20;

let instance: { jq: Jq; runs: number } | undefined;

async function jqRun(program: string, json: string): Promise<string> {
  const { jq, runs } = instance ?? { jq: await startJq(), runs: 0 };
  // Only reused after a run without errors.
  instance = undefined;
  const printed = await jq.raw(json, program, ["-c"]);
  if (runs + 1 < RUNS_PER_INSTANCE) instance = { jq, runs: runs + 1 };
  return printed;
}

/** jq's message without the parts for terminals. */
function reasonOf(error: unknown, program: string, rule: string): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "RuntimeError" || error instanceof RangeError) return "exceeds the memory limit";
  const [first = "failed"] = error.message.replaceAll(program, rule).split("\n");
  return first
    .replace(/^jq: error( \(at [^)]*\))?: /, "")
    .replace(/ \(Unix shell quoting issues\?\)/, "")
    .replace(/ at <top-level>(, line \d+)?:?$/, "");
}

const MAX_SHOWN = 100;

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
