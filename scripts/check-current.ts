/* Fails unless all generated files are current: each action.yml, the README tables, and dist/. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { differences } from "./bundle/differences.ts";
import { buildCopy } from "./bundle/project-copy.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

const generated = spawnSync(process.execPath, ["scripts/generate.ts", "--check"], {
  cwd: root,
  stdio: "inherit",
});

const scratch = mkdtempSync(join(tmpdir(), "evidence-build-"));
try {
  // Built in a very different folder, because the bytes must depend only on the sources.
  const fresh = await buildCopy(join(scratch, "far", "bélow", "with space", "a", "b", "another-clone"), {
    umask: "077",
    env: {
      TZ: "Pacific/Kiritimati",
      LC_ALL: "tr_TR.UTF-8",
      LANG: "tr_TR.UTF-8",
      HOME: scratch,
      CI: "true",
    },
    cwd: "/",
    changed: new Date("2001-09-09T01:46:40Z"),
  });
  const stale = differences(join(root, "dist"), fresh);
  for (const path of stale) process.stdout.write(`dist/${path} is not current\n`);
  if (stale.length > 0) process.stdout.write("Run npm run build and commit dist.\n");
  else process.stdout.write("dist is current\n");
  process.exitCode = stale.length > 0 || generated.status !== 0 ? 1 : 0;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
