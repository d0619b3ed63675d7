/*
 * Publishes version 0.0.0 of each npm package, which contains only a notice. Run it once, by hand, before the first
 * release, because npm requires a package to exist before a trusted publisher can be set up.
 *
 *   npm login
 *   node scripts/release/reserve-name.ts
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runScript, say } from "./outputs.ts";
import { fieldOnRegistry, publishPackage } from "./registry.ts";

const { license, repository } = JSON.parse(readFileSync("package.json", "utf8"));

await runScript(async () => {
  for (const name of ["@delivery-evidence/client", "delivery-evidence"]) await reserve(name);
});

async function reserve(name: string): Promise<void> {
  if (fieldOnRegistry(name, "name") !== undefined) return say(`npm has the package '${name}' already`);
  const folder = mkdtempSync(join(tmpdir(), "reserve-name-"));
  try {
    const description = "Reserves the name: install a later version.";
    const manifest = { name, version: "0.0.0", description, license, repository };
    writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
    writeFileSync(join(folder, "README.md"), `# ${name}\n\n${description}\n`);
    await publishPackage(folder, `${name}@0.0.0`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  say(`${name}@0.0.0 is published: now set up the trusted publisher`);
}
