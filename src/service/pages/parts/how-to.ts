/** How to do in a workflow, or on the command line, what a page shows. */
export interface HowTo {
  /** `Record an attestation` */
  readonly title: string;
  readonly code: string;
}
