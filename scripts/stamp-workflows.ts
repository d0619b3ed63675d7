/*
 * Writes into the workflows of a release where our own actions are, by repository and full commit.
 *
 *   node scripts/stamp-workflows.ts --commit SHA --version v1.2.3 [--repository OWNER/NAME] [FOLDER]
 *
 * FOLDER is the root of the tree to stamp, by default this one. The README tells under "One version" when and why.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkedStamp, RELEASED_AS, stampWorkflow } from "./workflows/stamp.ts";

const { values, positionals } = parseArgs({
  options: {
    commit: { type: "string", default: "" },
    version: { type: "string", default: "" },
    repository: { type: "string", default: RELEASED_AS },
  },
  allowPositionals: true,
});
const stamp = checkedStamp(values);
const folder = join(positionals[0] ?? fileURLToPath(new URL("..", import.meta.url)), ".github/workflows");
for (const name of readdirSync(folder).filter((file) => /\.ya?ml$/.test(file))) {
  const path = join(folder, name);
  const text = readFileSync(path, "utf8");
  const stamped = stampWorkflow(text, stamp);
  if (stamped === text) continue;
  writeFileSync(path, stamped);
  process.stdout.write(`${path} is stamped\n`);
}
