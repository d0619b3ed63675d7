/** A token whose signature, issuer, audience and times are right. */
export interface ProvenToken {
  readonly issuer: string;
  /** Its `jti`. */
  readonly id: string;
  /** Unix seconds. */
  readonly expiresAt: number;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** The issuers that the operator trusts to say who a workflow is. */
export interface Issuers {
  /** As their tokens name them. */
  readonly urls: readonly string[];
  /**
   * Checks a token all but for whether it was used before.
   *
   * @throws Unproven, Busy
   */
  verify(token: string, audience: string): Promise<ProvenToken>;
}
