import { run } from "../../src/cli/main.ts";
import { PROGRAM } from "../../src/cli/operator/program.ts";

/** The exit status and output of a command. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command line in this process: everything that a program does except starting. Commands that serve run until
 * the process is stopped, so they need `program.ts`, unless they fail earlier.
 */
export async function runHere(
  args: readonly string[],
  {
    env = {},
    input = "",
    printsToTerminal = false,
    onNote = () => {},
  }: {
    env?: Readonly<Record<string, string>>;
    input?: string;
    printsToTerminal?: boolean;
    /** Receives each line of the standard error at once. */
    onNote?: (line: string) => void;
  } = {},
): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  const umask = process.umask();
  const status = await run(PROGRAM, args, {
    environment: env,
    interactive: true,
    printsToTerminal,
    print: (line) => {
      stdout += `${line.trimEnd()}\n`;
    },
    write: (bytes) => {
      stdout += Buffer.from(bytes).toString("utf8");
    },
    note: (line) => {
      stderr += `${line}\n`;
      onNote(line);
    },
    show: () => {},
    tolerateLostLines: () => () => 0,
    readInput: async () => input,
  });
  // `serve` narrows it permanently.
  process.umask(umask);
  return { status, stdout, stderr };
}
