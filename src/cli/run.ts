import { isEvidenceError } from "../api/errors.ts";
import { main } from "./main.ts";
import { type Terminal, UsageError } from "./usage.ts";

/** Carries out a command line and gives the exit status. What fails is explained on the standard error. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return await main(args, terminal);
  } catch (error) {
    for (const line of explain(error)) terminal.note(line);
    return 1;
  }
}

function explain(error: unknown): string[] {
  const reason = `delivery-evidence: ${error instanceof Error ? error.message : String(error)}`;
  if (isEvidenceError(error))
    return [reason, ...[...error.details, error.advice].filter(Boolean).map(indent)];
  const expected = error instanceof UsageError || !(error instanceof Error) || error.cause === undefined;
  return expected ? [reason] : [reason, indent(`because: ${error.cause}`)];
}

function indent(line: string): string {
  return `  ${line}`;
}
