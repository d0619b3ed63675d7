import { InputError } from "../../api/client/errors.ts";
import { parseJson } from "../../api/json.ts";
import { asText, isObject } from "../../api/untyped.ts";
import { ProgramNotStarted, runProgram } from "../../net/run-program.ts";

/** What a helper runs in. */
export interface HelperSurroundings {
  /** All of its environment. It is the caller who leaves secrets out. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

/** How helpers say that they keep nothing for a server, which is no failure. */
const UNKNOWN_SERVER = /credentials not found/i;
/** A login is a few kilobytes. What goes beyond this is not one. */
const MAX_OUTPUT_BYTES = 256 * 1024;

/**
 * Asks `docker-credential-<name>` for the login of a server; undefined when it keeps none. Nothing it prints is
 * shown, since that could be the secret.
 *
 * @throws {InputError} (`artifact`) for a helper that is missing or fails
 * @throws the signal's reason when it aborts
 */
export async function askHelper(
  name: string,
  server: string,
  { env, signal }: HelperSurroundings,
): Promise<{ username: string; secret: string } | undefined> {
  const program = `docker-credential-${name}`;
  const failed = (why: string, advice: string, cause?: unknown) =>
    new InputError(
      [{ input: "artifact", problem: `the login to its registry is kept by '${program}', which ${why}` }],
      { advice, cause },
    );
  const missing = (cause?: unknown) =>
    failed(
      "cannot be started",
      "Install it and have it on PATH, or log in without it: it is named in Docker's config.json.",
      cause,
    );
  // The name comes from a file: it must not lead to a program elsewhere.
  if (!/^[\w.-]+$/.test(name)) throw missing();
  const { exitCode, output } = await run(program, server, { env, signal }).catch((error: unknown) => {
    throw error instanceof ProgramNotStarted ? missing(error) : error;
  });
  if (exitCode !== 0 && UNKNOWN_SERVER.test(output)) return undefined;
  // Not with 'get': that would print the secret.
  const advice = `Run '${program} list' in this job to see the failure alone.`;
  if (exitCode === null) throw failed("was ended by the system", advice);
  if (exitCode !== 0) throw failed(`failed with exit status ${exitCode}`, advice);
  const answer = parseJson(output)?.value;
  if (!isObject(answer)) throw failed("gave no answer that can be read", advice);
  return { username: asText(answer["Username"]), secret: asText(answer["Secret"]) };
}

async function run(program: string, server: string, { env, signal }: HelperSurroundings) {
  const chunks: Buffer[] = [];
  let size = 0;
  const onStdout = (chunk: Buffer) => {
    size += chunk.length;
    if (size <= MAX_OUTPUT_BYTES) chunks.push(chunk);
  };
  const { exitCode } = await runProgram({ program, args: ["get"], input: server, env, signal, onStdout });
  return { exitCode, output: Buffer.concat(chunks).toString() };
}
