import { appendFileSync } from "node:fs";
import { EOL } from "node:os";

// @actions/core has the same, but brings in all of node:crypto for one random text: a twentieth of a step's start-up.

/** Appends a name with its value to one of the runner's files, in the form that takes any text as the value. */
export function appendValue(file: string, name: string, value: string): void {
  const delimiter = `ghadelimiter_${crypto.randomUUID()}`;
  appendFileSync(file, [`${name}<<${delimiter}`, value, delimiter, ""].join(EOL));
}

/** Appends text to one of the runner's files. */
export function appendText(file: string, text: string): void {
  appendFileSync(file, text + EOL);
}
