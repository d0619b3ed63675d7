/*
 * Issues tokens to jobs that act runs, as GitHub does for jobs with `id-token: write`, until it is stopped:
 *
 *   node scripts/act-tokens.ts COMMIT KEYS VARIABLES
 *
 * Writes the keys for `serve --oidc-keys` to the file KEYS, and the variables that a job of the commit needs for
 * requesting tokens to the file VARIABLES.
 */
import { writeFileSync } from "node:fs";
import { startRunnerTokens } from "../test/identity/runner-tokens.ts";

const [commit, keys, variables] = process.argv.slice(2);
if (commit === undefined || keys === undefined || variables === undefined) {
  throw new Error("Usage: node scripts/act-tokens.ts COMMIT KEYS VARIABLES");
}
const tokens = await startRunnerTokens();
const job = tokens.job({ sha: commit, run_id: "1" });
writeFileSync(keys, JSON.stringify(tokens.issuer.keys));
const lines = Object.entries(job).map(([name, value]) => `${name}=${value}\n`);
// Written last, because its readers also need the keys.
writeFileSync(variables, lines.join(""));
