import { subjectOf } from "./subject.ts";
import type { Submission } from "./submission.ts";

/**
 * What is missing because a submission before was not recorded. An attestation of an artifact needs its report; an
 * override is about the attestation of its name before it, and would hit an older one.
 */
export class Missing {
  readonly #by = new Map<string, string>();

  /** The name of the submission that has to be recorded before this one; undefined when none has. */
  heldBy(submission: Submission): string | undefined {
    return needs(submission)
      .map((thing) => this.#by.get(thing))
      .find((name) => name !== undefined);
  }

  left(submission: Submission, name: string): void {
    this.#by.set(gives(submission), name);
  }

  recorded(submission: Submission): void {
    this.#by.delete(gives(submission));
  }
}

function gives({ org, ...submission }: Submission): string {
  const { flow, trail, fingerprint, attestation } = subjectOf(submission);
  if (attestation === undefined) return thing("artifact", org, flow, fingerprint);
  return thing("attestation", org, flow, trail, attestation);
}

function needs({ org, operation, ...submission }: Submission): string[] {
  const { flow, trail, fingerprint, attestation } = subjectOf(submission);
  if (attestation === undefined) return [];
  return [
    ...(fingerprint === undefined ? [] : [thing("artifact", org, flow, fingerprint)]),
    ...(operation.name === "overrideAttestation"
      ? [thing("attestation", org, flow, trail, attestation)]
      : []),
  ];
}

function thing(...names: readonly (string | undefined)[]): string {
  return JSON.stringify(names);
}
