import { run } from "../../src/cli/main.ts";

/** How a command ended, and what it wrote. */
export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Carries out a command line in this process: all that a program does but to start. Commands that serve go on until
 * the process is told to stop, and so are for `program.ts`, unless they fail before.
 */
export async function runHere(
  args: readonly string[],
  { env = {}, input = "" }: { env?: Readonly<Record<string, string>>; input?: string } = {},
): Promise<Ended> {
  let stdout = "";
  let stderr = "";
  const umask = process.umask();
  const status = await run(args, {
    environment: env,
    interactive: true,
    print: (line) => {
      stdout += `${line.trimEnd()}\n`;
    },
    write: (bytes) => {
      stdout += Buffer.from(bytes).toString("utf8");
    },
    note: (line) => {
      stderr += `${line}\n`;
    },
    show: () => {},
    tolerateLostLines: () => () => 0,
    readInput: async () => input,
  });
  // `serve` narrows it for good.
  process.umask(umask);
  return { status, stdout, stderr };
}
