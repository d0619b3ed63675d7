import * as z from "zod/mini";
import { type Connection, connect, NOBODY } from "../../api/client/connection.ts";
import { codeOf, InputError, type InputProblem, isEvidenceError } from "../../api/client/errors.ts";
import type { ErrorCode } from "../../api/error-codes.ts";
import type { RetryNote } from "../../net/retry.ts";
import { type Action, type Failure, fieldInputs, sharedInputs } from "./action.ts";
import { makeContext } from "./context.ts";
import { setOutputs } from "./file-commands.ts";
import type { Inputs } from "./input.ts";
import { parseInputs } from "./inputs.ts";
import { log } from "./log.ts";
import {
  forgetSecrets,
  MIN_KEY_LENGTH,
  maskApiKey,
  maskLines,
  maskProxyPasswords,
  maskSecrets,
} from "./masking.ts";
import { type Runner, readRunner } from "./runner.ts";
import { hasSummaryPage, writeSummary } from "./summary.ts";
import { tokenRequest } from "./token-request.ts";

/** Exit status of an interrupted step, as in shells. */
const INTERRUPTED = 130;
/** Time for interrupted work to clean up, in milliseconds. The runner kills the step soon after. */
const CLEAN_UP_MS = 700;

/**
 * Runs an action as a step of a job: reads its inputs, does its work, sets every output and the exit status. The
 * status is 0 only once the work has succeeded. Otherwise a promise that never settles would end in success.
 */
export async function runAction<I extends Inputs, Output extends string, Ready>(
  action: Action<I, Output, Ready>,
): Promise<void> {
  process.exitCode = 1;
  forgetSecrets();
  // Compiling a schema pays off only for many values; a step checks one.
  z.config({ jitless: true });
  const env = process.env;
  const interruption = listenForInterrupts();
  let outputs: Readonly<Record<string, string>> = unknownOutputs(action);
  let connection: Connection | undefined;
  /** Whether work is left running without anything to end it. */
  let abandoned = false;
  try {
    const runner = readRunner(env);
    const prepared = await prepare(action, env, runner, interruption.signal);
    connection = prepared.connection;
    const work = orInterrupted(action.run(prepared.values, prepared.context), interruption.signal);
    const outcome = await orFault(work, () => {
      abandoned = true;
    });
    const { summary, failure, laterTables } = outcome;
    outputs = outcome.outputs;
    if (failure) fail(failure);
    else process.exitCode = 0;
    if (summary && prepared.wantsSummary && hasSummaryPage(env)) {
      const tables = [...(summary.tables ?? []), ...((await laterTables?.()) ?? [])];
      afterwards("The run's page has no summary.", () => writeSummary({ ...summary, tables }, env));
    }
  } catch (error) {
    if (interruption.signal.aborted) {
      log.error(
        "Interrupted: the request in progress may or may not have been recorded.",
        "step.interrupted" satisfies ErrorCode,
      );
      process.exitCode = INTERRUPTED;
    } else {
      report(error);
    }
  } finally {
    afterwards("The outputs are not set.", () => setOutputs(outputs, env));
    await connection?.close();
    interruption.ignore();
  }
  if (interruption.signal.aborted || abandoned) process.exit();
}

/** Reports finished work. A fault in the report is only a warning with its cause, because the work is done. */
function afterwards(consequence: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    log.warning(`${error instanceof Error ? error.message : String(error)}. ${consequence}`);
  }
}

/**
 * The outcome of the work. If the step is interrupted, the work has a short time to clean up; anything unfinished after
 * that is abandoned.
 */
function orInterrupted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => setTimeout(reject, CLEAN_UP_MS, signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/**
 * The outcome of the work. Rejects on an uncaught exception, and if the event loop is empty before the work ends: the
 * process would otherwise stop without a message and without outputs.
 */
function orFault<T>(work: Promise<T>, onStray: () => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stray = (error: unknown) => {
      onStray();
      reject(error);
    };
    const forgotten = () => reject(new Error("The action ended without an outcome."));
    process.once("uncaughtException", stray);
    process.once("beforeExit", forgotten);
    work.then(resolve, reject).finally(() => {
      process.removeListener("uncaughtException", stray);
      process.removeListener("beforeExit", forgotten);
    });
  });
}

/** @throws {InputError} with all problems of the inputs, before any work */
async function prepare<I extends Inputs, Ready>(
  action: Action<I, string, Ready>,
  env: NodeJS.ProcessEnv,
  runner: Runner,
  signal: AbortSignal,
) {
  const shared = parseInputs(sharedInputs, env);
  const own = parseInputs(action.inputs, env);
  maskApiKey(shared.values.apiKey);
  maskSecrets(action.inputs, own.values);
  maskProxyPasswords(env);
  for (const warning of runner.warnings) log.warning(warning);

  const checked = await action.check(own.values, own.given);
  const problems = [...own.problems, ...("problems" in checked ? checked.problems : []), ...shared.problems];
  const { region, baseUrl, dryRun, summary, apiKey, authScheme, auth, trustPolicy, ...rest } = shared.values;
  const usesKey = auth === "key" || (auth === "auto" && apiKey !== "");
  const request = usesKey ? undefined : tokenRequest(env);
  const provesItself = request !== undefined && baseUrl !== undefined;
  if (!provesItself && (auth === "oidc" || apiKey === "")) {
    const { missingKey } = await import("./missing-key.ts");
    problems.push(missingKey(runner, { auth, hasToken: request !== undefined }));
  } else if (usesKey && apiKey.length < MIN_KEY_LENGTH) {
    problems.push({ input: "api-key", problem: "is too short for a key; copy the whole key" });
  }
  const options = {
    ...rest,
    ...(region && { region }),
    ...(baseUrl !== undefined && { baseUrl }),
    proxyVariables: env,
    signal,
    onRetry: logRetry,
  };
  const exchange = provesItself && { request, options, policy: trustPolicy, mask: maskApiKey };
  const tokens = exchange ? (await import("./workflow-token.ts")).workflowTokens(exchange) : undefined;
  // A step with `oidc` needs no key.
  const accessTokens = tokens ?? (auth === "oidc" ? NOBODY : undefined);
  const credentials = accessTokens === undefined ? { apiKey, authScheme } : { accessTokens };
  const connection = collecting(problems, () => connect({ ...options, ...credentials, oneDeadline: true }));
  if (problems.length > 0 || !connection || "problems" in checked) {
    await connection?.close();
    throw new InputError(problems);
  }
  if (!dryRun) tokens?.begin();
  const { allowHttp } = rest;
  const context = makeContext(
    { runner, connection, signal, dryRun, allowHttp, log, mask: maskLines },
    fieldInputs(action),
  );
  return { values: checked.values, context, connection, wantsSummary: summary };
}

/** Runs a step of the preparation and adds its problems to those found before. */
function collecting<T>(problems: InputProblem[], step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const known = new Set(problems.map(({ input }) => input));
    problems.push(...error.problems.filter(({ input }) => !known.has(input)));
    return undefined;
  }
}

/** Writes one annotation for the cause. Further details go to the log. */
function report(error: unknown): void {
  if (isEvidenceError(error)) {
    const text = [error.message, ...error.details, error.advice].filter(Boolean).join("\n");
    log.error(text, codeOf(error), error.place);
    const requestId = error.kind === "api" ? error.requestId : undefined;
    if (requestId) log.info(`Request ${requestId}`);
    return;
  }
  const text = error instanceof Error ? error.message : String(error);
  fail({ code: "step.failed", title: "Unexpected error in this action", text });
  if (error instanceof Error && error.stack) log.group("Stack trace", error.stack);
}

function fail({ code, title, text }: Failure): void {
  log.error(text, `${title} (${code})`);
}

function logRetry({ attempt, attempts, reason, waitMs }: RetryNote): void {
  log.info(
    `Attempt ${attempt} of ${attempts} failed: ${reason}. Retrying in ${(waitMs / 1000).toFixed(1)} s.`,
  );
}

function unknownOutputs<Output extends string>(action: Action<Inputs, Output>): Record<string, string> {
  return { ...Object.fromEntries(Object.keys(action.outputs).map((name) => [name, ""])), ...action.unknown };
}

function listenForInterrupts(): { signal: AbortSignal; ignore: () => void } {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new Error("interrupted"));
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  return {
    signal: controller.signal,
    ignore() {
      process.removeListener("SIGINT", interrupt);
      process.removeListener("SIGTERM", interrupt);
    },
  };
}
