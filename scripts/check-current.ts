/* Fails unless everything generated is what its sources make: each action.yml, the README tables, and dist/. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { differences } from "./bundle/differences.ts";
import { bundle } from "./bundle.ts";
import { compileSources } from "./compile.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

const generated = spawnSync(process.execPath, ["scripts/generate.ts", "--check"], {
  cwd: root,
  stdio: "inherit",
});

compileSources(root);
const fresh = mkdtempSync(join(tmpdir(), "dist-"));
try {
  await bundle(root, fresh);
  const stale = differences(join(root, "dist"), fresh);
  for (const path of stale) process.stdout.write(`dist/${path} is not current\n`);
  if (stale.length > 0) process.stdout.write("Run npm run build and commit dist.\n");
  else process.stdout.write("dist is current\n");
  process.exitCode = stale.length > 0 || generated.status !== 0 ? 1 : 0;
} finally {
  rmSync(fresh, { recursive: true, force: true });
}
