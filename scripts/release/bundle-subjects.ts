/*
 * Tells what there is to attest of a bundle, as outputs of the step: `checksums`, a file that lists what the bundle is
 * made of, and whether this release has attested its `provenance` and its bill of materials (`sbom`) already.
 *
 *   node scripts/release/bundle-subjects.ts dist/attest
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { runScript, say, setOutputs } from "./outputs.ts";
import { runProgram } from "./program.ts";

/** What an attestation says, by the type it is known by. */
const PREDICATES = { provenance: "https://slsa.dev/provenance/v1", sbom: "https://cyclonedx.org/bom" };

const { GITHUB_REPOSITORY = "", GITHUB_SHA = "", RUNNER_TEMP = tmpdir() } = process.env;
const [folder = ""] = process.argv.slice(2);

await runScript(() => {
  const checksums = join(RUNNER_TEMP, `${basename(folder)}.sha256`);
  writeFileSync(
    checksums,
    filesOf(folder)
      .map(({ path, digest }) => `${digest}  ${path}\n`)
      .join(""),
  );
  const attested = Object.entries(PREDICATES).map(
    ([name, predicate]) => [name, isAttested(predicate)] as const,
  );
  for (const [name, done] of attested)
    say(`${name} of ${folder}: ${done ? "attested already" : "to be attested"}`);
  setOutputs({ checksums, ...Object.fromEntries(attested.map(([name, done]) => [name, String(done)])) });
});

/** The files of a bundle by its bill of materials: its own and those it shares, from the root of the repository. */
function filesOf(bundle: string): { path: string; digest: string }[] {
  const { metadata } = JSON.parse(readFileSync(join(bundle, "sbom.cdx.json"), "utf8"));
  const files: { name: string; hashes: { content: string }[] }[] = metadata.component.components;
  return files.map(({ name, hashes }) => {
    const path = join(bundle, name);
    const digest = createHash("sha256").update(readFileSync(path)).digest("hex");
    if (hashes[0]?.content !== digest)
      throw new Error(`${path} is not the file that the bill of materials lists`);
    return { path, digest };
  });
}

/** One attestation speaks of all files of a bundle, so that its program stands for all. */
function isAttested(predicate: string): boolean {
  const program = join(folder, "index.js");
  const of = ["--repo", GITHUB_REPOSITORY, "--source-digest", GITHUB_SHA, "--predicate-type", predicate];
  return runProgram("gh", ["attestation", "verify", program, ...of]).status === 0;
}
