/** What is checked of an attestation. */
export type Check =
  | "form"
  | "certificate"
  | "timestamp"
  | "transparency log"
  | "signature"
  | "subject"
  | "predicate"
  | "issuer"
  | "source repository"
  | "event"
  | "runner"
  | "signer";

/** An attestation does not prove what it should. The message follows the name of the check. */
export class Unproven extends Error {
  readonly check: Check;
  /** What to do about it; empty when nothing is to be said. */
  readonly advice: string;

  constructor(check: Check, why: string, { advice = "", cause }: { advice?: string; cause?: unknown } = {}) {
    super(why, cause === undefined ? undefined : { cause });
    this.name = "Unproven";
    this.check = check;
    this.advice = advice;
  }
}
