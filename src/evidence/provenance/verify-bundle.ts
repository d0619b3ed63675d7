import { X509Certificate } from "node:crypto";
import { type Bundle, bundleFromJSON, ValidationError } from "@sigstore/bundle";
import {
  type Signer as Signed,
  type SignedEntity,
  toSignedEntity,
  VerificationError,
  Verifier,
} from "@sigstore/verify";
import { type CertificateFacts, certificateFacts } from "./certificate.ts";
import { checkSigner, type Signer } from "./signer.ts";
import { checkStatement, type Subject } from "./statement.ts";
import { TRUSTED_ROOT_ADVICE, type TrustedInstance } from "./trusted-roots.ts";
import { type Check, Unproven } from "./unproven.ts";

type X509 = TrustedInstance["material"]["certificateAuthorities"][number]["certChain"][number];

/** What a bundle must prove: which artifact it is about, and who signed it. */
export interface Wanted extends Subject {
  readonly signer: Signer;
}

/** What a bundle proved. */
export interface Proven extends CertificateFacts {
  readonly predicateType: string;
  /** Where the transparency log has it; none with an instance that has no log. */
  readonly logIndexes: readonly string[];
  /** When it was signed, by the log and by timestamp authorities. */
  readonly timestamps: readonly Date[];
}

/**
 * Verifies a Sigstore bundle, offline: that its signature, certificate, log entries and timestamps hold with one of the
 * trusted instances, and then that it is about the artifact, and signed by whom it must be.
 *
 * @param data the bundle, as its JSON has it
 * @throws {Unproven} with the first check that failed
 */
export function verifyBundle(data: unknown, wanted: Wanted, trusted: readonly TrustedInstance[]): Proven {
  const { bundle, envelope, certificate } = readBundle(data);
  const entity = readable(() => toSignedEntity(bundle));
  const signed = verifyWithOneOf(entity, issuersOf(entity, certificate, trusted));
  checkStatement(envelope, wanted);
  const facts = certificateFacts(signed);
  checkSigner(facts, wanted.signer);
  return {
    ...facts,
    predicateType: wanted.predicateType,
    logIndexes: entity.tlogEntries.map(({ logIndex }) => logIndex),
    timestamps: timesOf(entity),
  };
}

/** A bundle that has the parts of a signed statement. */
function readBundle(data: unknown) {
  const bundle = readable(() => bundleFromJSON(data));
  const { content } = bundle;
  if (content.$case !== "dsseEnvelope") throw new Unproven("form", "it signs a file, and no statement");
  const certificate = certificateIn(bundle);
  if (certificate === undefined)
    throw new Unproven("form", "it was signed with a key, and not with the certificate of a workflow run");
  return { bundle, envelope: content.dsseEnvelope, certificate };
}

function certificateIn({ verificationMaterial: { content } }: Bundle): Uint8Array | undefined {
  switch (content.$case) {
    case "certificate":
      return content.certificate.rawBytes;
    case "x509CertificateChain":
      return content.x509CertificateChain.certificates[0]?.rawBytes;
    case "publicKey":
      return undefined;
  }
}

/** The instances whose authority issued the certificate; when none did, those with an authority of that name. */
function issuersOf(
  { key }: SignedEntity,
  certificate: Uint8Array,
  trusted: readonly TrustedInstance[],
): readonly TrustedInstance[] {
  const leaf = key.$case === "certificate" ? key.certificate : undefined;
  const named = withAuthority(trusted, ({ subject }) => leaf?.issuer.equals(subject) === true);
  const issuers = withAuthority(named, (authority) => leaf?.verify(authority) === true);
  if (named.length > 0) return issuers.length > 0 ? issuers : named;
  const issuer = readable(() => new X509Certificate(certificate).issuer.split("\n").join(", "));
  throw new Unproven("certificate", `it was issued by '${issuer}', which no trusted root names`, {
    advice: `If that is to be trusted, as for a private repository, give trusted-root. ${TRUSTED_ROOT_ADVICE}`,
  });
}

function withAuthority(instances: readonly TrustedInstance[], isIt: (authority: X509) => boolean) {
  return instances.filter(({ material }) =>
    material.certificateAuthorities.some(({ certChain }) => certChain.some(isIt)),
  );
}

/** One instance must vouch for all of it: a log of one does not make up for what another lacks. */
function verifyWithOneOf(entity: SignedEntity, instances: readonly TrustedInstance[]): Signed {
  let refusal: unknown;
  for (const { material, thresholds } of instances) {
    try {
      return new Verifier(material, thresholds).verify(entity);
    } catch (error) {
      refusal = error;
    }
  }
  throw refusalOf(refusal);
}

const CHECKS: Readonly<Record<VerificationError["code"], Check>> = {
  NOT_IMPLEMENTED_ERROR: "form",
  TLOG_ERROR: "transparency log",
  TLOG_INCLUSION_PROOF_ERROR: "transparency log",
  TLOG_INCLUSION_PROMISE_ERROR: "transparency log",
  TLOG_MISSING_INCLUSION_ERROR: "transparency log",
  TLOG_BODY_ERROR: "transparency log",
  CERTIFICATE_ERROR: "certificate",
  PUBLIC_KEY_ERROR: "certificate",
  SIGNATURE_ERROR: "signature",
  TIMESTAMP_ERROR: "timestamp",
};

const FORGED =
  "Do not trust the artifact before somebody has found out why: the bundle was changed, or belongs to another artifact.";

function refusalOf(cause: unknown): Unproven {
  if (!(cause instanceof VerificationError)) return unreadable(cause);
  const inner = cause.cause instanceof Error ? `: ${cause.cause.message}` : "";
  return new Unproven(CHECKS[cause.code], `${cause.message}${inner}`, { advice: FORGED, cause });
}

/** Does what may fail for what the bundle holds. */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause: unknown): Unproven {
  const why = cause instanceof Error ? cause.message : String(cause);
  const fields = cause instanceof ValidationError ? ` (${cause.fields.join(", ")})` : "";
  return new Unproven("form", `it cannot be read as a Sigstore bundle: ${why}${fields}`, { cause });
}

function timesOf({ timestamps }: SignedEntity): Date[] {
  return timestamps.flatMap((timestamp) => {
    if (timestamp.$case === "timestamp-authority") return timestamp.timestamp.signingTime;
    // A log that promises nothing does not vouch for its time.
    const { integratedTime, inclusionPromise } = timestamp.tlogEntry;
    return inclusionPromise ? new Date(Number(integratedTime) * 1000) : [];
  });
}
