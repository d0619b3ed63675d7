/** The version of a decision policy by which the service evaluated a decision. */
export interface EvaluatedBy {
  readonly identifier: string;
  readonly version: number;
}

/** A decision policy that a rule requires, in one version or in any. */
export interface RequiredPolicy {
  readonly identifier: string;
  readonly version: number | undefined;
}

/** `IDENTIFIER` or `IDENTIFIER@VERSION`, with the version counted from 1. */
export const DECIDED_BY = /^[a-zA-Z0-9][a-zA-Z0-9\-_.~]*(?:@[1-9][0-9]{0,8})?$/;

/** Reads a text that matches {@link DECIDED_BY}. */
export function parseDecidedBy(text: string): RequiredPolicy {
  const [identifier = "", version] = text.split("@");
  return { identifier, version: version === undefined ? undefined : Number(version) };
}

export function isDecidedBy(required: RequiredPolicy, by: EvaluatedBy | undefined): boolean {
  if (by?.identifier !== required.identifier) return false;
  return required.version === undefined || required.version === by.version;
}
