import { InputError, type InputProblem } from "../../api/client/errors.ts";
import { parseImageReference } from "../../evidence/oci/reference.ts";
import type { Subject } from "../subject.ts";

/** A storage record names a registry, so it needs an image. */
export function storageProblems(subject: Subject | undefined): InputProblem[] {
  if (subject === undefined) return [];
  const image = imageOf(subject);
  if (image !== undefined) return nameProblems(image);
  const problem = "requires an image: set artifact-type: oci, or set fingerprint to name@sha256:…";
  return [{ input: "github-storage-record", problem }];
}

/** Checks the image name before anything is recorded. */
function nameProblems(image: string): InputProblem[] {
  try {
    parseImageReference(image);
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map(({ problem }) => ({ input: "github-storage-record", problem }));
  }
}

/** The image's name; undefined for anything not in a registry. */
export function imageOf(subject: Subject): string | undefined {
  if (subject.fingerprint === undefined) return subject.artifactType === "oci" ? subject.artifact : undefined;
  return /^([^\s@]+)@/.exec(subject.fingerprint.trim())?.[1];
}
