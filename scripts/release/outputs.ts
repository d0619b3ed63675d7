import { appendFileSync } from "node:fs";

/** Says a line in the log of the job. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Sets outputs of the step, where there is one. The values are of one line. */
export function setOutputs(outputs: Readonly<Record<string, string>>): void {
  const file = process.env["GITHUB_OUTPUT"];
  if (file === undefined) return;
  for (const [name, value] of Object.entries(outputs)) appendFileSync(file, `${name}=${value}\n`);
}

/** Ends a script that was refused with the reason alone; whatever else went wrong shows where. */
export class Refusal extends Error {}

/** Runs a script, and has the job fail with one line when it is refused. */
export async function runScript(script: () => void | Promise<void>): Promise<void> {
  try {
    await script();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    say(`::error::${error.message}`);
    process.exitCode = 1;
  }
}
