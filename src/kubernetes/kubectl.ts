import { PROFILES } from "../net/profiles.ts";
import { type ProgramEnd, ProgramNotStarted, runProgram } from "../net/run-program.ts";
import type { Kubectl } from "./contexts.ts";
import { ClusterFault, faultFromStderr, kubectlMissing } from "./kubectl-error.ts";

/** `RUN_TIMEOUT_MS` includes a login, which may wait for user input. */
const ANSWER_TIMEOUT_S = 60;
const RUN_TIMEOUT_MS = 120_000;
const MAX_PAGE_BYTES = PROFILES.cluster.maxBytes;
export const TOO_LARGE = `one page of the list of pods has more than ${MAX_PAGE_BYTES / 1024 / 1024} MB`;

/**
 * @param givenUp aborts this process only, not the step
 * @throws {InputError} if kubectl is missing
 * @throws the reason of the signal that ended it
 */
export async function runKubectl(
  kubectl: Kubectl,
  args: readonly string[],
  { givenUp, onStdout }: { givenUp: AbortSignal; onStdout: (chunk: Buffer) => void },
): Promise<ProgramEnd> {
  const { program, kubeconfig, context, env } = kubectl;
  const signal = AbortSignal.any([kubectl.signal, givenUp]);
  const all = [
    ...args,
    ...(kubeconfig ? [`--kubeconfig=${kubeconfig}`] : []),
    ...(context ? [`--context=${context}`] : []),
  ];
  try {
    return await runProgram({ program, args: all, env, signal, onStdout });
  } catch (error) {
    throw error instanceof ProgramNotStarted ? kubectlMissing(program, error) : error;
  }
}

/**
 * @throws {ClusterFault} with kubectl's message
 * @throws {InputError} if kubectl is missing
 */
export async function getRaw(kubectl: Kubectl, path: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const controller = new AbortController();
  const giveUp = (why: string) => controller.abort(new ClusterFault(why));
  const args = ["get", `--raw=${path}`, `--request-timeout=${ANSWER_TIMEOUT_S}s`];
  const onStdout = (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_PAGE_BYTES) chunks.push(chunk);
    else giveUp(TOO_LARGE);
  };
  const { timeoutMs = RUN_TIMEOUT_MS } = kubectl;
  const timer = setTimeout(giveUp, timeoutMs, `kubectl did not finish within ${timeoutMs / 1000} s`);
  try {
    const { exitCode, stderr } = await runKubectl(kubectl, args, { givenUp: controller.signal, onStdout });
    if (exitCode !== 0) throw faultFromStderr(stderr);
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString();
}
