import type { Connection } from "../api/client/connection.ts";
import { InputError, isUnavailable } from "../api/client/errors.ts";
import { prepare, sendPrepared } from "../api/client/prepared.ts";
import type { Reply } from "../api/client/reply.ts";
import type { AnswerOf, OperationShape } from "../api/operation.ts";
import { asObject } from "../api/untyped.ts";
import { hasWaiting } from "./read.ts";
import { type ReplayReport, replay } from "./replay.ts";
import { spool } from "./spool.ts";
import { MARK, type RunReference, type Submission } from "./submission.ts";

export interface OutboxOptions {
  readonly folder: string;
  readonly connection: Connection;
  readonly runUrl?: string | undefined;
  readonly run?: RunReference | undefined;
}

/** The service's reply, or the name of the spooled submission and the reason. */
export type Submitted<O extends OperationShape> =
  | { readonly reply: Reply<AnswerOf<O>> }
  | { readonly spooled: string; readonly reason: string };

/** Sends submissions, and spools them while the service is unavailable. */
export class Outbox {
  readonly #options: OutboxOptions;
  /** The replay of earlier submissions, which is attempted once. */
  #before: Promise<ReplayReport | undefined> | undefined;
  /** Why the service is unavailable, once it is. */
  #unavailable: string | undefined;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /**
   * Sends a submission after the waiting ones. Spools it if the service is unavailable, or if it depends on one of them.
   *
   * @throws what `call` throws if a later attempt would fail as well
   */
  async submit<O extends OperationShape>(operation: O, request: Readonly<Record<string, unknown>>) {
    const { connection, runUrl, run } = this.#options;
    const id = crypto.randomUUID();
    const submission: Submission = {
      id,
      operation,
      org: connection.org,
      host: new URL(connection.baseUrl).host,
      submittedAt: new Date(),
      runUrl,
      madeBy: run,
      prepared: await prepare(connection, operation, marked(request, id)),
    };
    const { prepared } = submission;
    const reason = await this.#reasonToWait(submission);
    if (reason !== undefined) return this.#keep(submission, reason);
    try {
      return { reply: await sendPrepared(connection, operation, prepared, { idempotencyKey: id }) };
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      this.#unavailable = messageOf(error);
      return this.#keep(submission, this.#unavailable);
    }
  }

  async #reasonToWait(submission: Submission): Promise<string | undefined> {
    const { folder, connection } = this.#options;
    if (this.#unavailable !== undefined) return this.#unavailable;
    this.#before ??= hasWaiting(folder).then((any) =>
      any ? replay(folder, connection, { ofThisJob: true }) : undefined,
    );
    const before = await this.#before;
    const needed = before?.missing.blockerOf(submission);
    return before?.stopped?.message ?? (needed && `it needs ${needed}, which is not on record`);
  }

  async #keep(submission: Submission, reason: string): Promise<{ spooled: string; reason: string }> {
    try {
      return { spooled: await spool(this.#options.folder, submission), reason };
    } catch (cause) {
      if (cause instanceof InputError) throw cause;
      const problem = `nothing was recorded (${reason}), and it could not be spooled either: ${messageOf(cause)}`;
      throw new InputError([{ input: "on-unavailable", problem }], { cause });
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Adds the annotation that identifies the record. */
function marked(request: Readonly<Record<string, unknown>>, id: string): Readonly<Record<string, unknown>> {
  const body = asObject(request["body"]);
  return { ...request, body: { ...body, annotations: { ...asObject(body["annotations"]), [MARK]: id } } };
}
