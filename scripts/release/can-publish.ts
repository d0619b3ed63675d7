/*
 * Checks that npm has the package, because a trusted publisher can only be set up for a package that exists. A release
 * that cannot be published fails before it is tagged.
 *
 *   node scripts/release/can-publish.ts NAME
 */
import { Refusal, runScript, say } from "./outputs.ts";
import { fieldOnRegistry } from "./registry.ts";

const [name = ""] = process.argv.slice(2);

await runScript(() => {
  if (fieldOnRegistry(name, "name") === undefined) {
    throw new Refusal(
      `npm has no package '${name}' yet: run "npm login" and "node scripts/release/reserve-name.ts", then set up its trusted publisher (CONTRIBUTING.md, "Release")`,
    );
  }
  say(`npm has the package '${name}'`);
});
