/*
 * Publishes the npm package. In the workflow of a release npm knows who it is by its identity token (trusted publishing),
 * and signs where the package was built.
 *
 *   node scripts/release/publish.ts NAME@VERSION FILE.tgz
 *
 * What is published already is left as it is.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { Refusal, runScript, say } from "./outputs.ts";
import { mustRun, runProgram } from "./program.ts";

const [name = "", path = ""] = process.argv.slice(2);
/** npm takes a path without a dot before it for a repository at GitHub. */
const file = resolve(path);

await runScript(() => {
  const ours = `sha512-${createHash("sha512").update(readFileSync(file)).digest("base64")}`;
  const published = integrityOf(name);
  if (published === undefined) {
    mustRun("npm", ["publish", file, "--access", "public"]);
    say(`${name} is published`);
  } else if (published === ours) {
    say(`${name} is published already`);
  } else {
    throw new Refusal(`${name} is published already, and is another file: ${published}, not ${ours}`);
  }
});

/** The digest of what is published under a name and version; undefined when nothing is. */
function integrityOf(specification: string): string | undefined {
  const { status, stdout, stderr } = runProgram("npm", ["view", specification, "dist.integrity", "--json"]);
  if (status === 0) return stdout.trim() === "" ? undefined : String(JSON.parse(stdout));
  if (`${stdout}${stderr}`.includes("E404")) return undefined;
  throw new Error(`npm view ${specification} failed:\n${stdout}${stderr}`);
}
