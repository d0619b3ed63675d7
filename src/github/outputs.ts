import { issueFileCommand, prepareKeyValueMessage } from "./toolkit.ts";

/** Hands outputs to the runner; outside of one, where there is no file for them, it does nothing. */
export function setOutputs(outputs: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv): void {
  if (!env["GITHUB_OUTPUT"]) return;
  for (const [name, value] of Object.entries(outputs)) {
    issueFileCommand("OUTPUT", prepareKeyValueMessage(name, value));
  }
}
