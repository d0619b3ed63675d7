import { isEvidenceError } from "../api/client/errors.ts";
import { main } from "./main.ts";
import { type Terminal, UsageError } from "./usage.ts";

/** Carries out a command line and gives the exit status. What fails is explained on the standard error. */
export async function run(args: readonly string[], raw: Terminal): Promise<number> {
  const terminal: Terminal = {
    environment: raw.environment,
    get interactive() {
      return raw.interactive;
    },
    write: (bytes) => raw.write(bytes),
    readInput: () => raw.readInput(),
    tolerateLostLines: () => raw.tolerateLostLines(),
    print: (line) => raw.print(printable(line)),
    note: (line) => raw.note(printable(line)),
    show: (line) => raw.show(printable(line)),
  };
  try {
    return await main(args, terminal);
  } catch (error) {
    for (const line of explain(error)) terminal.note(line);
    return 1;
  }
}

/** Control characters but tabs and line breaks, and marks that turn the direction of what follows. */
const UNSEEN = /(?![\t\n])[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Text with escapes for what a terminal would obey. They are those of JSON, so that printed JSON stays the same. */
function printable(text: string): string {
  return text.replace(UNSEEN, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);
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
