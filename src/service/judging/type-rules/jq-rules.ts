import startJq from "jq-wasm/dist/build/jq.js";

/** One run of jq's own code; it throws an `Error` with what jq printed when jq fails. */
interface Jq {
  raw(json: string, filter: string, flags: readonly string[]): Promise<string>;
}

export interface RulesVerdict {
  isCompliant: boolean;
  /** Whether each rule holds, in their order. Those from one without a verdict on were not asked. */
  results: boolean[];
  /** Why the rules gave no verdict; then nothing is compliant. */
  error?: string;
}

/** What is wrong with a rule as an expression; undefined when it can be used. */
export async function problemOfRule(rule: string): Promise<string | undefined> {
  // Compiled, but not run: functions that are not defined are found only where they are used.
  const program = `def rule: (${rule}\n); if . == . then empty else rule end`;
  try {
    await jqRun(program, "null");
    return undefined;
  } catch (error) {
    return reasonOf(error, program, rule);
  }
}

/** Whether every rule holds for the data, which is JSON text. */
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

/** Whether a rule holds, or why that cannot be said. */
async function applyRule(rule: string, data: string): Promise<boolean | string> {
  try {
    const results = (await jqRun(rule, data)).split("\n").filter((line) => line !== "");
    const [other] = results.filter((result) => result !== "true" && result !== "false");
    if (other !== undefined) return `gave ${shortened(other)}, which is neither true nor false`;
    if (results.length === 0) return "gave no result";
    return results.every((result) => result === "true");
  } catch (error) {
    return reasonOf(error, rule, rule);
  }
}

/** What one instance of jq runs before it is replaced: it does not give back all the memory it takes. */
const RUNS_PER_INSTANCE = 20;

let instance: { jq: Jq; runs: number } | undefined;

async function jqRun(program: string, json: string): Promise<string> {
  const { jq, runs } = instance ?? { jq: await startJq(), runs: 0 };
  // Put back only after a run without fault: what a program breaks is gone with it.
  instance = undefined;
  const printed = await jq.raw(json, program, ["-c"]);
  if (runs + 1 < RUNS_PER_INSTANCE) instance = { jq, runs: runs + 1 };
  return printed;
}

/** What jq says, without what it says to people at a terminal. */
function reasonOf(error: unknown, program: string, rule: string): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "RuntimeError" || error instanceof RangeError)
    return "needs more memory than it may use";
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
