/*
 * Writes into the workflows of a release where our own actions are, by repository and full commit.
 *
 *   node scripts/stamp-workflows.ts --commit SHA --version v1.2.3 [--repository OWNER/NAME] [FOLDER]
 *
 * FOLDER is the root of the tree to stamp, by default this one. `docs/reusable-workflows.md` tells under "One version" when and why.
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
