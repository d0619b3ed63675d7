import { InputError, type InputProblem } from "../api/client/errors.ts";
import { parseImageReference } from "../evidence/oci/reference.ts";
import { type Subject, type SubjectValues, subjectOf } from "./subject.ts";

/**
 * Problems of an input that needs an image with a registry, before anything is recorded.
 *
 * @param other another value that names the image, with its input
 */
export function imageProblems(
  input: string,
  values: SubjectValues,
  other?: { readonly input: string; readonly image: string | undefined },
): InputProblem[] {
  const subject = subjectOf(values);
  if (subject === undefined) return [];
  const image = imageOf(subject) ?? other?.image;
  if (image !== undefined) return nameProblems(input, image);
  const instead = other ? `, or set ${other.input} to its name` : "";
  const problem = `requires an image: set artifact-type: oci, or set fingerprint to name@sha256:…${instead}`;
  return [{ input, problem }];
}

function nameProblems(input: string, image: string): InputProblem[] {
  try {
    parseImageReference(image);
    return [];
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map(({ problem }) => ({ input, problem }));
  }
}

/** The image's name; undefined for anything not in a registry. */
export function imageOf(subject: Subject): string | undefined {
  if (subject.fingerprint === undefined) return subject.artifactType === "oci" ? subject.artifact : undefined;
  return /^([^\s@]+)@/.exec(subject.fingerprint.trim())?.[1];
}
