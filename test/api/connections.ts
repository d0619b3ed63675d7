import { expect, onTestFinished } from "vitest";
import { type Connection, connect } from "../../src/api/client/connection.ts";
import type { ConnectionOptions } from "../../src/api/client/connection-options.ts";
import { isEvidenceError } from "../../src/api/client/errors.ts";
import type { RetryNote } from "../../src/net/retry.ts";

export const KEY = "de_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG";

/** A connection to a server of the test that never waits between attempts, and the delays it would have used. */
export function connectTo(
  baseUrl: string,
  options: Partial<ConnectionOptions> = {},
): { connection: Connection; waits: RetryNote[] } {
  const waits: RetryNote[] = [];
  const connection = connect({
    apiKey: KEY,
    org: "acme",
    baseUrl,
    timeout: 20,
    pause: () => Promise.resolve(),
    onRetry: (note) => waits.push(note),
    ...options,
  });
  onTestFinished(() => connection.close());
  return { connection, waits };
}

type Kind<T> = abstract new (...args: never[]) => T;

/** The error of one kind that a promise is rejected with; anything else fails the test. */
export async function failureOf<T extends Error>(kind: Kind<T>, work: Promise<unknown>): Promise<T> {
  const error: unknown = await work.then(
    (value) => expect.fail(`expected a failure, got ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof kind)) expect.fail(`expected ${kind.name}, got ${String(error)}`);
  return error;
}

/** All text of an error that a user would see. */
export function shownText(error: unknown): string {
  if (!isEvidenceError(error)) expect.fail(`not of the family users see: ${String(error)}`);
  return [error.message, ...error.details, error.advice].join("\n");
}
