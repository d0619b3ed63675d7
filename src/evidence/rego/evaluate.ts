import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { asObject, asObjects, asText, type Untyped } from "../../api/untyped.ts";
import { type ProgramEnd, runProgram } from "../../net/run-program.ts";
import { CAPABILITIES, DATA, evaluationData, POLICY } from "./evaluation-package.ts";
import { ENVIRONMENT, type Opa } from "./opa.ts";
import type { PolicyFiles } from "./policy-files.ts";
import { PolicyFault, type PolicyProblem, readVerdict, type Verdict, withoutPackage } from "./verdict.ts";

export interface PolicyCall extends Omit<DataCall, "data"> {
  /** The policy reads them as `data.params`. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Time of the evaluation in Unix seconds. The policy has no clock, and reads it as `data.evidence.evaluation_time`. */
  readonly at: number;
}

/** An evaluation whose params and time are the JSON text of `data`. */
interface DataCall {
  readonly files: PolicyFiles;
  readonly data: string;
  /** JSON texts of documents. The policy reads one at a time as `input`. */
  readonly inputs: readonly string[];
}

interface Running {
  readonly signal: AbortSignal;
  readonly limits?: EvaluationLimits;
}

export interface EvaluationLimits {
  readonly seconds: number;
  /** Memory of the process, limited by its shell. Not limited by default. */
  readonly megabytes?: number;
  /** Size of all verdicts as JSON; 8 MB by default. */
  readonly outputBytes?: number;
}

const OUTPUT_BYTES = 8 * 1024 * 1024;
/** Time for opa to stop by itself and say why. */
const GRACE_SECONDS = 1;
/** The verdict on each input, in one process. Other rules of the policy may contain much of the input. */
const QUERY = `[verdict | some document in input
  policy := data.policy with input as document
  verdict := object.filter(policy, ["allow", "violations", "skipped", "skip_reason"])]`;

/**
 * Evaluates a policy for each input with the real opa.
 *
 * @returns a verdict for each input, in their order
 * @throws {PolicyFault} or the reason of the signal
 */
export function evaluatePolicy(
  opa: Opa,
  { params, at, ...call }: PolicyCall,
  running: Running,
): Promise<Verdict[]> {
  return evaluateData(opa, { ...call, data: evaluationData(params, at) }, running);
}

/** Evaluates a policy with given data, as {@link evaluatePolicy} does. */
export async function evaluateData(
  opa: Opa,
  call: DataCall,
  { signal, limits = { seconds: 10 } }: Running,
): Promise<Verdict[]> {
  const folder = await mkdtemp(join(tmpdir(), "evidence-policy-"));
  try {
    await writeCall(folder, opa, call);
    const printed = await run(opa, folder, { call, signal, limits });
    const value = asObject(asObjects(asObject(asObjects(printed["result"])[0])["expressions"])[0])["value"];
    const results = Array.isArray(value) ? value : [];
    if (results.length !== call.inputs.length) throw withoutPackage(call.files);
    return results.map((result) => readVerdict(result, call.files));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeCall(folder: string, { capabilities }: Opa, { files, data }: DataCall) {
  await writeFile(join(folder, CAPABILITIES), capabilities);
  await writeFile(join(folder, DATA), data);
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, POLICY, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

async function run(
  opa: Opa,
  folder: string,
  { call, signal, limits }: { call: DataCall; signal: AbortSignal; limits: EvaluationLimits },
) {
  const { seconds, megabytes, outputBytes = OUTPUT_BYTES } = limits;
  const args = ["eval", "--format", "json", "--strict-builtin-errors", "--timeout", `${seconds}s`];
  args.push("--capabilities", join(folder, CAPABILITIES), "--data", join(folder, POLICY));
  args.push("--data", join(folder, DATA), "--stdin-input", QUERY);
  const command =
    megabytes === undefined
      ? { program: opa.path, args }
      : {
          program: "/bin/sh",
          args: ["-c", `ulimit -d ${megabytes * 1024} && exec "$0" "$@"`, opa.path, ...args],
        };
  const output = new AbortController();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const late = AbortSignal.timeout((seconds + GRACE_SECONDS) * 1000);
  let end: ProgramEnd;
  try {
    end = await runProgram({
      ...command,
      env: ENVIRONMENT,
      signal: AbortSignal.any([signal, late, output.signal]),
      input: `[${call.inputs.join(",")}]`,
      onStdout(chunk) {
        bytes += chunk.length;
        if (bytes > outputBytes) output.abort();
        else chunks.push(chunk);
      },
    });
  } catch (error) {
    if (late.aborted) throw overTime(seconds);
    if (output.signal.aborted) throw limit(`the result is larger than ${outputBytes} bytes`);
    throw error;
  }
  return readOutput(Buffer.concat(chunks).toString(), end, { folder, limits });
}

function readOutput(
  text: string,
  { exitCode, stderr }: ProgramEnd,
  { folder, limits: { seconds, megabytes } }: { folder: string; limits: EvaluationLimits },
) {
  if (exitCode === 0) return asObject(JSON.parse(text));
  // A crash of the runtime of Go: opa reports all other errors as JSON.
  if (text === "" && /goroutine|runtime/.test(stderr))
    throw limit(`the policy needs more than ${megabytes} MB of memory`);
  const errors = asObjects(parsed(text)["errors"]);
  if (errors.some(({ code }) => code === "eval_cancel_error")) throw overTime(seconds);
  const problems = errors.map((error) => problemOf(error, join(folder, POLICY)));
  const last = stderr.trim().split("\n").at(-1) ?? "";
  if (problems.length === 0)
    throw new PolicyFault("engine", [{ message: `opa failed with status ${exitCode}: ${last}` }]);
  const ran = errors.every(({ code }) => asText(code).startsWith("eval_"));
  throw new PolicyFault(ran ? "evaluation" : "policy", problems);
}

function parsed(text: string) {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return {};
  }
}

function problemOf({ message, code, location }: Untyped, folder: string): PolicyProblem {
  const { file, row } = asObject(location);
  const words = [asText(code), asText(message).replaceAll(`${folder}/`, "")].filter(Boolean).join(": ");
  const path = asText(file).replace(`${folder}/`, "");
  return {
    message: words,
    ...(path !== "" && { file: path }),
    ...(typeof row === "number" && { line: row }),
  };
}

function overTime(seconds: number): PolicyFault {
  return limit(`the policy needs more than ${seconds} s`);
}

function limit(message: string): PolicyFault {
  return new PolicyFault("limit", [{ message }]);
}
