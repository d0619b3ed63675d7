/*
 * Publishes a release at GitHub with its files.
 *
 *   node scripts/release/github-release.ts v1.2.3 NOTES FILE INTEGRITY [FILE INTEGRITY…]
 *
 * Each file must have its integrity. The release is a draft until all files are uploaded, because GitHub then makes its
 * tag and files immutable ("immutable releases"). An interrupted run can be repeated.
 */

import { Refusal, runScript, say } from "./outputs.ts";
import { mustRun, runProgram } from "./program.ts";
import { requireIntegrity } from "./registry.ts";

const [tag = "", notes = "", ...given] = process.argv.slice(2);
const files = given.filter((_, index) => index % 2 === 0);

await runScript(() => {
  for (const [index, file] of files.entries()) requireIntegrity(file, given[2 * index + 1] ?? "");
  const found = runProgram("gh", ["release", "view", tag, "--json", "isDraft"]);
  if (found.status !== 0 && !found.stderr.includes("not found")) throw new Error(found.stderr);
  if (found.status !== 0) {
    mustRun("gh", [
      "release",
      "create",
      tag,
      "--draft",
      "--verify-tag",
      "--title",
      tag,
      "--notes-file",
      notes,
    ]);
  }
  if (found.status === 0 && JSON.parse(found.stdout).isDraft === false) {
    say(`${tag} is already published`);
  } else {
    mustRun("gh", ["release", "upload", tag, ...files, "--clobber"]);
    mustRun("gh", ["release", "edit", tag, "--draft=false"]);
    say(`${tag} is published`);
  }
  if (JSON.parse(mustRun("gh", ["release", "view", tag, "--json", "isImmutable"])).isImmutable !== true) {
    throw new Refusal(
      `${tag} is not immutable: turn on "Enable release immutability" in the settings of the repository, and release the next version`,
    );
  }
});
