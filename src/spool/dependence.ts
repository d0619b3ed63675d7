import { subjectOf } from "./subject.ts";
import type { Submission } from "./submission.ts";

/** Artifacts whose report was not recorded, each with its submission. Attestations of an artifact need its report. */
export class Missing {
  readonly #by = new Map<string, string>();

  /** The name of the submission that has to be recorded before this one; undefined when none has. */
  heldBy(submission: Submission): string | undefined {
    return isReport(submission) ? undefined : this.#by.get(artifactOf(submission));
  }

  left(submission: Submission, name: string): void {
    if (isReport(submission)) this.#by.set(artifactOf(submission), name);
  }

  recorded(submission: Submission): void {
    if (isReport(submission)) this.#by.delete(artifactOf(submission));
  }
}

function isReport(submission: Submission): boolean {
  return subjectOf(submission).attestation === undefined;
}

/** An attestation of a trail alone has no fingerprint, so it needs no report. */
function artifactOf({ org, ...submission }: Submission): string {
  const { flow, fingerprint } = subjectOf(submission);
  return JSON.stringify([org, flow, fingerprint]);
}
