import { ProtocolError } from "../../api/client/errors.ts";
import { ProgramNotStarted, runProgram } from "../../net/run-program.ts";
import { type Environment, UsageError } from "../usage.ts";

interface Asked {
  readonly program: string;
  readonly args: readonly string[];
  /** Advice if the program is missing. */
  readonly missing: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
}

/** Length of output that is no token. */
const MAX_OUTPUT = 64 * 1024;

/**
 * The token that a program of the job prints.
 *
 * @throws {UsageError} if the program is missing
 */
export async function programToken(asked: Asked): Promise<string> {
  const { program, args, missing, environment, signal } = asked;
  let output = "";
  const onStdout = (chunk: Buffer) => {
    if (output.length < MAX_OUTPUT) output += chunk.toString();
  };
  const ended = await runProgram({ program, args, env: withoutSecrets(environment), signal, onStdout }).catch(
    (error: unknown) => {
      if (error instanceof ProgramNotStarted) throw new UsageError(missing);
      throw error;
    },
  );
  const token = output.trim();
  if (ended.exitCode === 0 && /^[\w-]+(?:\.[\w-]+){2}$/.test(token)) return token;
  // Its own words say why. It writes tokens to the standard output only.
  const why = ended.exitCode === 0 ? "it printed something else" : lastLine(ended.stderr);
  throw new ProtocolError({ what: `${program} returned no token for this job: ${why}` });
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim() || "it failed without a message";
}

/** Programs of the job need no variables of ours, some of which are secret. */
function withoutSecrets(environment: Environment): Record<string, string> {
  const passed = Object.entries(environment).filter(
    (each): each is [string, string] => each[1] !== undefined && !each[0].startsWith("EVIDENCE_"),
  );
  return Object.fromEntries(passed);
}
