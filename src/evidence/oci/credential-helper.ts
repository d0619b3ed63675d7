import { InputError } from "../../api/errors.ts";
import { parseJson } from "../../api/json.ts";
import { asText, isObject } from "../../api/untyped.ts";

/** What a helper runs in. */
export interface HelperSurroundings {
  /** All of its environment. It is the caller who leaves secrets out. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends it at once. */
  readonly signal: AbortSignal;
}

const WINDOWS = process.platform === "win32";
/**
 * One shell hands the server's name over, which this process must not do: when a helper does not read it, that is a
 * fault which nobody here could catch. The other tells its process id and becomes the helper: there is no other way
 * to learn whom to end.
 */
const ASK = `printf %s "$1" | sh -c 'echo "$$"; exec "$1" get' sh "$2"`;
/** What a shell exits with when the program cannot be executed, or is not there. */
const NOT_STARTED = [126, 127];
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
  signal.throwIfAborted();
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
  const { exitCode, output } = await run(program, server, { env, signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw missing(cause);
  });
  signal.throwIfAborted();
  if (NOT_STARTED.includes(exitCode)) throw missing();
  if (exitCode !== 0 && UNKNOWN_SERVER.test(output)) return undefined;
  // Not with 'get': that would print the secret.
  const advice = `Run '${program} list' in this job to see the failure alone.`;
  if (exitCode !== 0) throw failed(`failed with exit status ${exitCode}`, advice);
  const answer = parseJson(output)?.value;
  if (!isObject(answer)) throw failed("gave no answer that can be read", advice);
  return { username: asText(answer["Username"]), secret: asText(answer["Secret"]) };
}

/** Runs a helper to its end, or to the signal's: then it is killed. */
async function run(program: string, server: string, { env, signal }: HelperSurroundings) {
  const { exec } = await import("@actions/exec");
  let printed = "";
  let running = true;
  const stop = () => {
    // An id whose process has ended may by now be somebody else's; zero would be our own process group.
    const pid = WINDOWS ? 0 : Number(/^(\d+)\n/.exec(printed)?.[1] ?? 0);
    if (!running || pid < 2) return;
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended in between.
    }
  };
  const receive = (chunk: Buffer) => {
    if (printed.length < MAX_OUTPUT_BYTES) printed += chunk.toString();
    if (signal.aborted) stop();
  };
  const options = {
    env: { ...env },
    silent: true,
    ignoreReturnCode: true,
    // A helper may leave something running with its output still open.
    delay: 1_000,
    listeners: { stdout: receive },
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    const exitCode = await (WINDOWS
      ? exec(`"${program}"`, ["get"], { ...options, input: Buffer.from(server) })
      : exec("sh", ["-c", ASK, "sh", server, program], options));
    return { exitCode, output: WINDOWS ? printed : printed.slice(printed.indexOf("\n") + 1) };
  } finally {
    running = false;
    signal.removeEventListener("abort", stop);
  }
}
