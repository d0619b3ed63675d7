import { appendFileSync } from "node:fs";

/** Writes a line to the job's log. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Sets outputs of the step, if there is one. Values are single lines. */
export function setOutputs(outputs: Readonly<Record<string, string>>): void {
  const file = process.env["GITHUB_OUTPUT"];
  if (file === undefined) return;
  for (const [name, value] of Object.entries(outputs)) appendFileSync(file, `${name}=${value}\n`);
}

/** Ends a script with only its message. Other errors show their position. */
export class Refusal extends Error {}

/** Runs a script. A refusal fails the job with one line. */
export async function runScript(script: () => void | Promise<void>): Promise<void> {
  try {
    await script();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(`::error::${error.message}`);
    process.exitCode = 1;
  }
}
