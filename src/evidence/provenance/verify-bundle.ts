import { X509Certificate } from "node:crypto";
import { type Bundle, bundleFromJSON, ValidationError } from "@sigstore/bundle";
import {
  type Signer as Signed,
  type SignedEntity,
  toSignedEntity,
  VerificationError,
  Verifier,
} from "@sigstore/verify";
import * as z from "zod/mini";
import { parseJson } from "../../api/json.ts";
import {
  type CertificateFacts,
  type Check,
  certificateFacts,
  checkSigner,
  type Signer,
  Unproven,
} from "./signer.ts";
import { TRUSTED_ROOT_ADVICE, type TrustedInstance } from "./trusted-roots.ts";

type X509 = TrustedInstance["material"]["certificateAuthorities"][number]["certChain"][number];

/** Required properties of a bundle. */
export interface Wanted {
  readonly fingerprint: string;
  readonly predicateType: string;
  readonly signer: Signer;
}

export interface Proven extends CertificateFacts {
  readonly predicateType: string;
  /** Indexes in the transparency log; none if the instance has no log. */
  readonly logIndexes: readonly string[];
  /** Times of signing from the log and timestamp authorities. */
  readonly timestamps: readonly Date[];
}

/**
 * Verifies a Sigstore bundle offline: signature, certificate, log entries and timestamps against one trusted instance,
 * then artifact and signer.
 *
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

function readBundle(data: unknown) {
  const bundle = readable(() => bundleFromJSON(data));
  const { content } = bundle;
  if (content.$case !== "dsseEnvelope") throw new Unproven("form", "it signs a file, not a statement");
  const certificate = certificateIn(bundle);
  if (certificate === undefined)
    throw new Unproven("form", "it was signed with a key, not with the certificate of a workflow run");
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

/** The instances whose authority issued the certificate, else those with an authority of that name. */
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
  throw new Unproven("certificate", `it was issued by '${issuer}', which no trusted root contains`, {
    advice: `If you trust the issuer, for example because the repository is private, set trusted-root. ${TRUSTED_ROOT_ADVICE}`,
  });
}

function withAuthority(instances: readonly TrustedInstance[], isIt: (authority: X509) => boolean) {
  return instances.filter(({ material }) =>
    material.certificateAuthorities.some(({ certChain }) => certChain.some(isIt)),
  );
}

/** One instance must prove everything. Proofs of several instances are not combined. */
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
  "Do not trust the artifact until the cause is known: the bundle was changed, or belongs to another artifact.";

function refusalOf(cause: unknown): Unproven {
  if (!(cause instanceof VerificationError)) return unreadable(cause);
  const inner = cause.cause instanceof Error ? `: ${cause.cause.message}` : "";
  return new Unproven(CHECKS[cause.code], `${cause.message}${inner}`, { advice: FORGED, cause });
}

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
    // Without an inclusion promise, a log does not vouch for its time.
    const { integratedTime, inclusionPromise } = timestamp.tlogEntry;
    return inclusionPromise ? new Date(Number(integratedTime) * 1000) : [];
  });
}

const PAYLOAD_TYPE = "application/vnd.in-toto+json";
const STATEMENT_TYPES = /^https:\/\/in-toto\.io\/Statement\/v(?:0\.1|1)$/;

const statement = z.object({
  _type: z.string().check(z.regex(STATEMENT_TYPES)),
  subject: z.array(z.object({ digest: z.record(z.string(), z.string()) })),
  predicateType: z.string(),
});

/** @throws {Unproven} unless the statement has this type and is about this artifact */
function checkStatement(
  { payloadType, payload }: ReturnType<typeof readBundle>["envelope"],
  { fingerprint, predicateType }: Wanted,
) {
  if (payloadType !== PAYLOAD_TYPE)
    throw new Unproven("form", `its payload is of type '${payloadType}', not ${PAYLOAD_TYPE}`);
  const { data } = z.safeParse(statement, parseJson(payload.toString("utf8"))?.value);
  if (data === undefined) throw new Unproven("form", "its payload is not an in-toto statement");
  if (data.predicateType !== predicateType) {
    const advice = "Set predicate-type to the required type.";
    throw new Unproven("predicate", `it is a ${data.predicateType}, not a ${predicateType}`, { advice });
  }
  const digests = data.subject.map(({ digest }) => digest["sha256"]);
  if (digests.includes(fingerprint)) return;
  const first = digests.find((digest) => digest !== undefined);
  const about =
    first === undefined ? "nothing with a sha256" : `${first}${digests.length > 1 ? " and others" : ""}`;
  throw new Unproven("subject", `it is about ${about}, not ${fingerprint}`, {
    advice: "A rebuilt artifact has another fingerprint. Assert the artifact that was attested.",
  });
}
