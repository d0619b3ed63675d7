import { type ProgramEnd, ProgramNotStarted, runProgram } from "../net/run-program.ts";
import { ClusterFault, faultFromStderr, kubectlMissing } from "./kubectl-error.ts";
import type { Kubectl } from "./kubectl-options.ts";

/** What kubectl is given for the answer, and for a login before it that may wait for a person who is not there. */
const ANSWER_TIMEOUT_S = 60;
const RUN_TIMEOUT_MS = 120_000;
/** A page is a few megabytes. A text of four times this could not be held at all. */
export const MAX_PAGE_BYTES = 128 * 1024 * 1024;
export const TOO_LARGE = `one page of the list of pods has more than ${MAX_PAGE_BYTES / 1024 / 1024} MB`;

/**
 * Runs kubectl to its end, or until it is given up or the work is interrupted.
 *
 * @param givenUp ends this process alone
 * @throws {InputError} when there is no kubectl.
 * @throws the reason of the signal that ended it.
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
 * What the API server answers to a GET of `path`, as kubectl gets it.
 *
 * @throws {ClusterFault} with what kubectl said.
 * @throws {InputError} when there is no kubectl.
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
  const timer = setTimeout(giveUp, timeoutMs, `kubectl did not end within ${timeoutMs / 1000} s`);
  try {
    const { exitCode, stderr } = await runKubectl(kubectl, args, { givenUp: controller.signal, onStdout });
    if (exitCode !== 0) throw faultFromStderr(stderr);
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).toString();
}
