import { appendValues } from "./file-commands.ts";
import { withoutGivenSecrets } from "./masking.ts";

/**
 * Hands outputs to the runner; outside of one, where there is no file for them, it does nothing. A secret that a server
 * has echoed is not handed on: the runner would drop the whole output between jobs.
 *
 * @throws {UnwritableFile} with none of them set
 */
export function setOutputs(outputs: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv): void {
  const file = env["GITHUB_OUTPUT"];
  if (!file) return;
  const entries = Object.entries(outputs).map(([name, value]) => [name, withoutGivenSecrets(value)] as const);
  appendValues(file, Object.fromEntries(entries));
}
