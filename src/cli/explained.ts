import { isEvidenceError } from "../api/client/errors.ts";
import { messageFor, outputsFor, withoutCommands } from "../ci/messages.ts";
import { type Terminal, UsageError } from "./usage.ts";

/** Runs a command. Errors are explained on the standard error. @returns the exit status */
export async function explained(
  raw: Terminal,
  command: (terminal: Terminal) => Promise<number>,
): Promise<number> {
  const terminal: Terminal = {
    environment: raw.environment,
    get interactive() {
      return raw.interactive;
    },
    get printsToTerminal() {
      return raw.printsToTerminal;
    },
    write: (bytes) => raw.write(bytes),
    readInput: () => raw.readInput(),
    tolerateLostLines: () => raw.tolerateLostLines(),
    print: (line) => raw.print(printable(line)),
    note: (line, kind) =>
      raw.note(kind ? messageFor(raw.environment, printable(line), kind) : printable(line)),
    pass(outputs) {
      for (const line of outputsFor(raw.environment, outputs)) raw.note(line);
    },
    show: (line) => raw.show(printable(line)),
  };
  try {
    return await command(terminal);
  } catch (error) {
    terminal.note(explain(error).join("\n"), "error");
    return 1;
  }
}

/** Control characters except tabs and line breaks, and marks that change the text's direction. */
const UNSEEN = /(?![\t\n])[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes what a terminal or a CI system would obey, as JSON does, so that printed JSON stays the same. */
function printable(text: string): string {
  return withoutCommands(text).replace(
    UNSEEN,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
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
