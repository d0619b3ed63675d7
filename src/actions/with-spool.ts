import type { Connection } from "../api/client/connection.ts";
import { InputError, isEvidenceError, isUnavailable } from "../api/client/errors.ts";
import { isSpoolable, type OperationShape } from "../api/operation.ts";
import { toWire } from "../api/wire-names.ts";
import type { ActionContext } from "../github/step/action.ts";
import type { Runner } from "../github/step/runner.ts";
import type { Outbox } from "../spool/outbox.ts";
import type { RunReference } from "../spool/submission.ts";
import { spoolFolder } from "./spool-folder.ts";

/** One per step, so that after a failure its other attestations are spooled at once. */
const outboxes = new WeakMap<Connection, Promise<Outbox>>();

/** Runs work that needs the service, and spools what an unavailable service cannot take. */
export async function withSpool<T>(context: ActionContext, work: (own: ActionContext) => Promise<T>) {
  let isSpooled = false;
  const call: ActionContext["call"] = async (operation, request, options) => {
    if (context.dryRun) return context.call(operation, request, options);
    if (!isSpoolable(operation, wireBody(operation, request))) {
      return context.call(operation, request, options).catch((cause: unknown) => {
        if (!isUnavailable(cause) || !isEvidenceError(cause)) throw cause;
        const problem = `nothing was recorded (${cause.message}), and ${operation.name} cannot be spooled: only evidence can`;
        throw new InputError([{ input: "on-unavailable", problem }], { cause });
      });
    }
    const outbox = await outboxOf(context);
    const submitted = await outbox.submit(operation, request).catch(async (error: unknown) => {
      throw await context.byInputs(error, options?.fields);
    });
    if ("spooled" in submitted) {
      isSpooled = true;
      context.warn(spooled(context.runner, submitted.reason));
      return undefined;
    }
    for (const warning of submitted.reply.warnings) context.warn(warning);
    return submitted.reply;
  };
  return { done: await work({ ...context, call }), isSpooled };
}

/** Only the action uploads its folder. */
function spooled(runner: Runner, reason: string): string {
  if (runner.tempDir !== undefined) return `Spooled for replay, which uploads it later: ${reason}`;
  return `Spooled in ${spoolFolder(runner)}, to be uploaded with replay. Keep this folder after the job: ${reason}`;
}

function outboxOf({ connection, runner }: ActionContext): Promise<Outbox> {
  const outbox =
    outboxes.get(connection) ??
    import("../spool/outbox.ts").then(
      ({ Outbox }) =>
        new Outbox({
          folder: spoolFolder(runner),
          connection,
          runUrl: runner.runUrl,
          run: runOf(runner),
        }),
    );
  outboxes.set(connection, outbox);
  return outbox;
}

/** The run's reference; undefined outside of a runner. */
function runOf(runner: Runner): RunReference | undefined {
  const { ci, workflow, runId, runAttempt, sha, eventName, actor } = runner;
  const repository = ci ? ci.repository?.name : runner.repository;
  if (runId === undefined) return undefined;
  const facts = {
    repository,
    workflow,
    run_id: runId,
    run_attempt: runAttempt,
    sha,
    event: eventName,
    actor,
  };
  return Object.fromEntries(
    Object.entries(facts).flatMap(([name, fact]) => (fact === undefined ? [] : [[name, String(fact)]])),
  );
}

function wireBody({ body }: OperationShape, request: unknown): unknown {
  return body && toWire(body.schema, Object(request).body);
}
