import { closeSync, fstatSync, ftruncateSync, openSync, writeFileSync } from "node:fs";
import { EOL } from "node:os";
import { UnwritableFile } from "./file-faults.ts";
import { withoutGivenSecrets } from "./masking.ts";

// @actions/core has the same, but brings in all of node:crypto for one random text: a twentieth of a step's start-up.

/**
 * Hands outputs to the runner; outside of one, where there is no file for them, it does nothing. A secret that a server
 * has echoed is not handed on: the runner would drop the whole output between jobs.
 *
 * @throws {UnwritableFile} with none of them set
 */
export function setOutputs(outputs: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv): void {
  const file = env["GITHUB_OUTPUT"];
  if (!file) return;
  // In the form that takes any text as a value.
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

/** A disk that is full may still take a part, and the runner fails the step when it reads half of an output. */
function appendWhole(file: number, text: string): void {
  const { size } = fstatSync(file);
  try {
    writeFileSync(file, text);
  } catch (error) {
    try {
      ftruncateSync(file, size);
    } catch {
      // What cannot be cut is no regular file, and holds nothing.
    }
    throw error;
  }
}
