import type { InputProblem } from "../../api/errors.ts";
import type { Subject } from "../subject.ts";

/** A storage record names a registry: only an image has one. */
export function storageProblems(subject: Subject | undefined): InputProblem[] {
  if (subject === undefined || imageOf(subject) !== undefined) return [];
  const problem = "is for an image: set artifact-type: oci, or give fingerprint as name@sha256:…";
  return [{ input: "github-storage-record", problem }];
}

/** The name of the image that a subject is; undefined when it is none in a registry. */
export function imageOf(subject: Subject): string | undefined {
  if (subject.fingerprint === undefined) return subject.artifactType === "oci" ? subject.artifact : undefined;
  return /^([^\s@]+)@/.exec(subject.fingerprint.trim())?.[1];
}
