/*
 * Publishes an npm package, and waits until the registry shows it. In a release workflow, npm identifies the workflow
 * by its identity token (trusted publishing), and signs where the package was built.
 *
 *   node scripts/release/publish.ts NAME@VERSION FILE.tgz INTEGRITY
 *
 * The file must have that integrity. A published version is not changed.
 */
import { resolve } from "node:path";
import { Refusal, runScript, say } from "./outputs.ts";
import { fieldOnRegistry, publishPackage, requireIntegrity } from "./registry.ts";

const [name = "", path = "", packed = ""] = process.argv.slice(2);
/** npm reads a path without a leading dot as a repository at GitHub. */
const file = resolve(path);

await runScript(async () => {
  requireIntegrity(file, packed);
  const before = fieldOnRegistry(name, "dist.integrity");
  const found = before ?? (await publishPackage(file, name));
  if (found !== packed) {
    throw new Refusal(`${name} is already published with another file: ${found}, not ${packed}`);
  }
  say(before === undefined ? `${name} is published` : `${name} is already published`);
});
