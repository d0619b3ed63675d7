/*
 * Gives tokens to jobs that act runs, as GitHub gives them to those with `id-token: write`, until it is ended:
 *
 *   node scripts/act-tokens.ts COMMIT KEYS VARIABLES
 *
 * The file KEYS gets the keys for `serve --oidc-keys`, the file VARIABLES what a job for the commit needs to ask.
 */
import { writeFileSync } from "node:fs";
import { startRunnerTokens } from "../test/identity/runner-tokens.ts";

const [commit, keys, variables] = process.argv.slice(2);
if (commit === undefined || keys === undefined || variables === undefined) {
  throw new Error("Say which commit the tokens are for, and where to write the keys and the variables");
}
const tokens = await startRunnerTokens();
const job = tokens.job({ sha: commit, run_id: "1" });
writeFileSync(keys, JSON.stringify(tokens.issuer.keys));
const lines = Object.entries(job).map(([name, value]) => `${name}=${value}\n`);
// Last: who waits for this file goes on with both.
writeFileSync(variables, lines.join(""));
