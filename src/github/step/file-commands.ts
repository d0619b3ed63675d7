import { closeSync, fstatSync, ftruncateSync, openSync, writeFileSync } from "node:fs";
import { EOL } from "node:os";
import { UnwritableFile } from "./file-faults.ts";
import { withoutGivenSecrets } from "./masking.ts";

// @actions/core has the same, but loads all of node:crypto for one random text: a twentieth of a step's start-up time.

/**
 * Sets outputs of the step. Does nothing outside a runner. Replaces secrets that a server echoed, because the runner
 * would drop the whole output between jobs.
 *
 * @throws {UnwritableFile} with no outputs set
 */
export function setOutputs(outputs: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv): void {
  const file = env["GITHUB_OUTPUT"];
  if (!file) return;
  // The heredoc form allows any text as a value.
  const lines = Object.entries(outputs).flatMap(([name, value]) => {
    const delimiter = `ghadelimiter_${crypto.randomUUID()}`;
    return [`${name}<<${delimiter}`, withoutGivenSecrets(value), delimiter];
  });
  append(file, [...lines, ""].join(EOL));
}

/**
 * Appends text to one of the runner's files.
 *
 * @throws {UnwritableFile} with nothing appended
 */
export function appendText(file: string, text: string): void {
  append(file, text + EOL);
}

function append(path: string, text: string): void {
  try {
    const file = openSync(path, "a");
    try {
      appendWhole(file, text);
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw new UnwritableFile(path, cause);
  }
}

/** Appends all or nothing. A full disk may accept a part, and the runner fails the step if an output is incomplete. */
function appendWhole(file: number, text: string): void {
  const { size } = fstatSync(file);
  try {
    writeFileSync(file, text);
  } catch (error) {
    try {
      ftruncateSync(file, size);
    } catch {
      // Only regular files can be truncated, and others keep nothing.
    }
    throw error;
  }
}
