import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from "node:crypto";

// Signed envelopes as in DSSE v1, with ECDSA keys on P-256: cosign and others verify them with a key alone.

export const ENVELOPE_TYPE = "application/vnd.dsse.envelope.v1+json";
export const BUNDLE_TYPE = "application/vnd.dev.sigstore.bundle.v0.3+json";
const PAYLOAD_TYPE = "application/vnd.in-toto+json";
const CURVE = "nistp256";

export interface StatementKey {
  readonly keyId: string;
  /** PEM. */
  readonly publicKey: string;
  /** PKCS #8 in base64. */
  readonly privateKey: string;
}

interface Signature {
  readonly keyid: string;
  readonly sig: string;
}

interface Envelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly Signature[];
}

/** Creates a key pair. */
export function newStatementKey(): StatementKey {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return {
    keyId: keyIdOf(publicKey),
    publicKey: publicKey.export({ type: "spki", format: "pem" }).toString(),
    privateKey: privateKey.export({ type: "pkcs8", format: "der" }).toString("base64"),
  };
}

/**
 * The fingerprint that `ssh-keygen -l` prints. Verifiers in Go that have only the public key compare it with the
 * signature's `keyid`.
 */
export function keyIdOf(publicKey: KeyObject): string {
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x, "base64url"), Buffer.from(y, "base64url")]);
  const parts = [`ecdsa-sha2-${CURVE}`, CURVE, point].map((part) => {
    const bytes = Buffer.from(part);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  });
  const digest = createHash("sha256").update(Buffer.concat(parts)).digest("base64");
  return `SHA256:${digest.replace(/=+$/, "")}`;
}

/** The bytes that are signed. Lengths are in bytes. */
export function preAuthEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const start = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(start), payload]);
}

/** Signs a statement. @returns the envelope as JSON */
export function signStatement(
  payload: string,
  { keyId, privateKey }: Pick<StatementKey, "keyId" | "privateKey">,
): string {
  const bytes = Buffer.from(payload);
  const key = createPrivateKey({ key: Buffer.from(privateKey, "base64"), format: "der", type: "pkcs8" });
  const sig = sign("sha256", preAuthEncoding(PAYLOAD_TYPE, bytes), key).toString("base64");
  const envelope: Envelope = {
    payload: bytes.toString("base64"),
    payloadType: PAYLOAD_TYPE,
    signatures: [{ keyid: keyId, sig }],
  };
  return JSON.stringify(envelope);
}

/** The envelope in Sigstore's form, which cosign reads. Its key is known to the verifier by its ID. */
export function bundleOf(envelope: string): string {
  const dsseEnvelope: Envelope = JSON.parse(envelope);
  const [{ keyid: hint } = { keyid: "" }] = dsseEnvelope.signatures;
  return JSON.stringify({
    mediaType: BUNDLE_TYPE,
    verificationMaterial: { publicKey: { hint } },
    dsseEnvelope,
  });
}

/** @returns the payload if the key has signed it */
export function openStatement(envelope: string, publicKey: string): string | undefined {
  const { payload, payloadType, signatures }: Envelope = JSON.parse(envelope);
  const bytes = Buffer.from(payload, "base64");
  const key = createPublicKey(publicKey);
  const signed = preAuthEncoding(payloadType, bytes);
  const isSigned = signatures.some(({ sig }) => verify("sha256", signed, key, Buffer.from(sig, "base64")));
  return isSigned && payloadType === PAYLOAD_TYPE ? bytes.toString() : undefined;
}
