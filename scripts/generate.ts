/*
 * Writes all generated files: from the definitions of actions, operations and commands, each action.yml, the tables of
 * READMEs and of the pages about operations, commands and roles, and the OpenAPI document; from the workflows, the tables
 * of their pages; and from its package, the trusted root of Sigstore's public instance. With --check, it writes nothing
 * and fails if a file is not current.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { actions, root } from "../src/actions/actions.ts";
import { actionYaml, operationTables, readmeTables, rootActionYaml, withTables } from "./action-files.ts";
import { commandTables } from "./command-tables.ts";
import { apiDescription, documentText } from "./openapi/description.ts";
import { roleTables } from "./role-tables.ts";
import { trustedRootModule } from "./trusted-root.ts";
import { workflowTables } from "./workflow-tables.ts";

/** The reusable workflows. Each has a page. */
const REUSABLE = [
  ...[
    "attest-build",
    "release-gate",
    "report-kubernetes",
    "report-clouds",
    "approval-query",
    "environment-issue",
    "rotate-key",
    "witness",
  ],
];

const check = process.argv.includes("--check");
const stale: string[] = [];

function put(path: string, text: string): void {
  const current = read(path);
  if (current === text) return;
  stale.push(path);
  if (!check) writeFileSync(path, text);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

for (const action of actions) {
  const folder = `actions/${action.name}`;
  mkdirSync(folder, { recursive: true });
  put(`${folder}/action.yml`, actionYaml(action));
  put(`${folder}/README.md`, withTables(read(`${folder}/README.md`), readmeTables(action)));
}

const api = await apiDescription();
put("src/service/http/openapi.json", documentText(api));
put("action.yml", rootActionYaml(root));
put(
  "docs/operations.md",
  withTables(read("docs/operations.md"), {
    ...readmeTables(root),
    operations: operationTables(api),
  }),
);

put(
  "docs/command-line.md",
  withTables(read("docs/command-line.md"), { commands: `\n${await commandTables()}\n` }),
);
put("docs/roles.md", withTables(read("docs/roles.md"), roleTables()));

for (const name of REUSABLE) {
  const page = `docs/${name}.md`;
  put(page, withTables(read(page), workflowTables(read(`.github/workflows/${name}.yml`))));
}

put("src/evidence/provenance/public-root.ts", trustedRootModule());

const what = stale.length === 0 ? "Generated files are current" : stale.join("\n");
process.stdout.write(`${check && stale.length > 0 ? "Not current, run npm run generate:\n" : ""}${what}\n`);
if (check && stale.length > 0) process.exitCode = 1;
