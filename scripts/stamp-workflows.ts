/*
 * Pins a release's workflows to our own actions, by repository and full commit.
 *
 *   node scripts/stamp-workflows.ts --commit SHA --version v1.2.3 [--repository OWNER/NAME] [FOLDER]
 *
 * FOLDER is the root of the tree to change, by default this one. For when and why, see "One version" in
 * `docs/reusable-workflows.md`.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { stampWorkflows } from "./release/release-commit.ts";
import { checkedStamp, RELEASED_AS } from "./workflows/stamp.ts";

const { values, positionals } = parseArgs({
  options: {
    commit: { type: "string", default: "" },
    version: { type: "string", default: "" },
    repository: { type: "string", default: RELEASED_AS },
  },
  allowPositionals: true,
});
const root = positionals[0] ?? fileURLToPath(new URL("..", import.meta.url));
for (const path of stampWorkflows(root, checkedStamp(values))) process.stdout.write(`${path} is stamped\n`);
