// Statements about an artifact, as in the in-toto attestation framework.

const VSA = "https://slsa.dev/verification_summary/v1";
const SVR = "https://in-toto.io/attestation/svr/v0.2";
const STATEMENT_TYPE = "https://in-toto.io/Statement/v1";
const SLSA_VERSION = "1.2";

/** A resource as predicates name it. */
export interface Descriptor {
  readonly uri?: string;
  readonly digest?: { readonly sha256: string };
}

/** `digest` has the digests by algorithm, in lower-case hex. */
export interface Subject {
  readonly name: string;
  readonly digest: Readonly<Record<string, string>>;
}

export interface Statement {
  readonly _type: string;
  readonly subject: readonly Subject[];
  readonly predicateType: string;
  readonly predicate: object;
}

/** The result of an assert. */
export interface StatedVerdict {
  readonly subject: Subject;
  /** URI of the verifier, not of its key. */
  readonly verifier: string;
  /** Unix seconds. */
  readonly time: number;
  /** Address from which consumers fetch the artifact. */
  readonly resourceUri: string;
  readonly policy: Descriptor;
  /** Everything that the result depends on. */
  readonly inputs: readonly Descriptor[];
  readonly isCompliant: boolean;
  /** Properties that the artifact has, if it is compliant. */
  readonly properties: readonly string[];
}

export function statementOf(subject: Subject, predicateType: string, predicate: object): Statement {
  return { _type: STATEMENT_TYPE, subject: [subject], predicateType, predicate };
}

/** Verification summary of SLSA. Its levels are properties, because the service checks no level of SLSA. */
export function verificationSummary(verdict: StatedVerdict): Statement {
  const { subject, verifier, time, resourceUri, policy, inputs, isCompliant, properties } = verdict;
  return statementOf(subject, VSA, {
    verifier: { id: verifier },
    timeVerified: timestamp(time),
    resourceUri,
    policy,
    inputAttestations: inputs,
    verificationResult: isCompliant ? "PASSED" : "FAILED",
    verifiedLevels: isCompliant ? properties : ["FAILED"],
    slsaVersion: SLSA_VERSION,
  });
}

/** Simple verification result. It states only what passed, so it exists only for a compliant artifact. */
export function verificationResult({
  subject,
  verifier,
  time,
  policy,
  properties,
}: StatedVerdict): Statement {
  return statementOf(subject, SVR, {
    verifier: { id: verifier, policies: [policy] },
    timeCreated: timestamp(time),
    properties,
  });
}

/** RFC 3339 in UTC without fractions. */
export function timestamp(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}
