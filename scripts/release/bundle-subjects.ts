/*
 * Lists what to attest about a bundle, as outputs of the step: `checksums`, a file that lists the bundle's files, and
 * whether this release has already attested its `provenance` and its bill of materials (`sbom`).
 *
 *   node scripts/release/bundle-subjects.ts dist/attest
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { runScript, say, setOutputs } from "./outputs.ts";
import { runProgram } from "./program.ts";

/** Predicate types of the attestations. */
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
    say(`${name} of ${folder}: ${done ? "already attested" : "not attested yet"}`);
  setOutputs({ checksums, ...Object.fromEntries(attested.map(([name, done]) => [name, String(done)])) });
});

/** The files in a bundle's bill of materials, its own and shared ones, with paths from the root of the repository. */
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

/** One attestation covers all files of a bundle, so checking its program is enough. */
function isAttested(predicate: string): boolean {
  const program = join(folder, "index.js");
  const of = ["--repo", GITHUB_REPOSITORY, "--source-digest", GITHUB_SHA, "--predicate-type", predicate];
  return runProgram("gh", ["attestation", "verify", program, ...of]).status === 0;
}
