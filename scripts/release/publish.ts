/*
 * Publishes the npm package, and waits until the registry shows it. In the workflow of a release npm knows the workflow by
 * its identity token (trusted publishing), and signs where the package was built.
 *
 *   node scripts/release/publish.ts NAME@VERSION FILE.tgz INTEGRITY
 *
 * Only the file with that integrity is published. A version that is published already is left as it is.
 */
import { resolve } from "node:path";
import { Refusal, runScript, say } from "./outputs.ts";
import { fieldOnRegistry, publishPackage, requireIntegrity } from "./registry.ts";

const [name = "", path = "", packed = ""] = process.argv.slice(2);
/** npm takes a path without a dot before it for a repository at GitHub. */
const file = resolve(path);

await runScript(async () => {
  requireIntegrity(file, packed);
  const before = fieldOnRegistry(name, "dist.integrity");
  const found = before ?? (await publishPackage(file, name));
  if (found !== packed) {
    throw new Refusal(`${name} is published already, and is another file: ${found}, not ${packed}`);
  }
  say(before === undefined ? `${name} is published` : `${name} is published already`);
});
