/*
 * Says whether files are attested already by this release, as the step's outputs `provenance` and `sbom`.
 *
 *   node scripts/release/attested.ts FILE…
 */

import { say, setOutputs } from "./outputs.ts";
import { runProgram } from "./program.ts";

const PREDICATES = { provenance: "https://slsa.dev/provenance/v1", sbom: "https://cyclonedx.org/bom" };

const { GITHUB_REPOSITORY = "", GITHUB_SHA = "" } = process.env;
const files = process.argv.slice(2);

for (const [name, predicate] of Object.entries(PREDICATES)) {
  const attested = files.every((file) => isAttested(file, predicate));
  say(`${name}: ${attested ? "attested already" : "to be attested"}`);
  setOutputs({ [name]: String(attested) });
}

function isAttested(file: string, predicate: string): boolean {
  const of = ["--repo", GITHUB_REPOSITORY, "--source-digest", GITHUB_SHA, "--predicate-type", predicate];
  return runProgram("gh", ["attestation", "verify", file, ...of]).status === 0;
}
