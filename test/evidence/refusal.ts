import { expect } from "vitest";
import { InputError } from "../../src/api/client/errors.ts";

/** The InputError that a promise rejects with. Any other outcome fails the test. */
export async function refusal(work: Promise<unknown>): Promise<InputError> {
  const error: unknown = await work.then(
    () => "was accepted",
    (reason: unknown) => reason,
  );
  if (!(error instanceof InputError)) expect.fail(`expected an InputError, got ${String(error)}`);
  return error;
}

/** The problem in the error, without the names of the inputs. */
export async function problemsOf(work: Promise<unknown>): Promise<string[]> {
  return (await refusal(work)).problems.map(({ problem }) => problem);
}
