import { isEvidenceError } from "../../api/client/errors.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { fewAtATime } from "../../net/few-at-a-time.ts";
import { type Delivery, type Report, readRunning, sendReport } from "./report.ts";
import type { RunningArtifacts } from "./running-artifacts.ts";
import type { Target } from "./target.ts";

/** Environments in progress at a time: each may have a kubectl process and its output in memory. */
const AT_A_TIME = 4;

/** A report, or why there is none. */
export type Attempt =
  | { readonly target: Target; readonly report: Report }
  | { readonly target: Target; readonly error: string }
  | FailedPart;

/** A part of a cloud whose environments are not known. */
export interface FailedPart {
  /** Such as `ECS in eu-central-1`. */
  readonly part: string;
  readonly error: string;
}

/**
 * Reports several environments. All are read before anything is sent, because the service's time limit starts with the
 * first request.
 */
export async function reportEach(
  targets: readonly Target[],
  delivery: Delivery,
  context: ActionContext,
): Promise<Attempt[]> {
  const read = await fewAtATime(AT_A_TIME, targets, (target) =>
    attempt(target, context, async (own) => ({
      target,
      running: await readRunning(target, own),
    })),
  );
  return fewAtATime(AT_A_TIME, read, (found) =>
    "error" in found
      ? Promise.resolve(found)
      : attempt(found.target, context, (own) => send(found, delivery, own)),
  );
}

async function send(
  { target, running }: { target: Target; running: RunningArtifacts },
  delivery: Delivery,
  context: ActionContext,
): Promise<Attempt> {
  return { target, report: await sendReport(target, running, delivery, context) };
}

/** Prefixes warnings with the environment; an error that a user can cause becomes a result. */
async function attempt<T>(
  target: Target,
  context: ActionContext,
  work: (own: ActionContext) => Promise<T>,
): Promise<T | { readonly target: Target; readonly error: string }> {
  const warn = (text: string) => context.warn(`${target.environment}: ${text}`);
  try {
    return await work({ ...context, warn });
  } catch (error) {
    context.signal.throwIfAborted();
    if (!isEvidenceError(error)) throw error;
    return { target, error: [error.message, ...error.details, error.advice].filter(Boolean).join("\n") };
  }
}
