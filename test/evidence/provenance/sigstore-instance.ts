import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { initializeCA, initializeCTLog, initializeTLog, initializeTSA } from "@sigstore/mock";
import * as z from "zod/mini";

/** The identity of a workflow run, as GitHub and Fulcio write it into its certificate. */
export const RUN = {
  issuer: "https://token.actions.githubusercontent.com",
  signer: "https://github.com/acme/web/.github/workflows/build.yml@refs/heads/main",
  runnerEnvironment: "github-hosted",
  sourceRepository: "https://github.com/acme/web",
  commit: "0dcf2a8e6bd4f1a7c1b8b0dd2a1c0e6bb1f4c2aa",
  sourceRef: "refs/heads/main",
  sourceRepositoryId: "4711",
  sourceRepositoryOwnerId: "42",
  trigger: "push",
  run: "https://github.com/acme/web/actions/runs/77/attempts/1",
  visibility: "public",
};
type Run = typeof RUN;

export const SLSA = "https://slsa.dev/provenance/v1";

/** The object identifiers of Fulcio's extensions. */
const EXTENSIONS: Readonly<Partial<Record<keyof Run, number>>> = {
  issuer: 8,
  runnerEnvironment: 11,
  sourceRepository: 12,
  commit: 13,
  sourceRef: 14,
  sourceRepositoryId: 15,
  sourceRepositoryOwnerId: 17,
  trigger: 20,
  run: 21,
  visibility: 22,
};

export function statement(sha256: string, predicateType = SLSA) {
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ name: "app.tgz", digest: { sha256 } }],
    predicateType,
    predicate: { buildDefinition: { buildType: "https://example.com/build" } },
  };
}

export interface Signing {
  readonly run?: Partial<Run>;
  readonly payloadType?: string;
}

/** A bundle in JSON, for tests that change it. */
export interface BundleJson {
  mediaType: string;
  verificationMaterial: {
    certificate?: { rawBytes: string };
    publicKey?: { hint: string };
    tlogEntries: TlogEntryJson[];
    timestampVerificationData: { rfc3161Timestamps: { signedTimestamp: string }[] };
  };
  dsseEnvelope?: { payload: string; payloadType: string; signatures: { sig: string; keyid: string }[] };
  messageSignature?: unknown;
}

interface TlogEntryJson {
  logIndex: string;
  logId: { keyId: string };
  kindVersion: { kind: string; version: string };
  integratedTime: string;
  inclusionPromise?: { signedEntryTimestamp: string };
  inclusionProof?: {
    logIndex: string;
    rootHash: string;
    treeSize: string;
    hashes: string[];
    checkpoint: { envelope: string };
  };
  canonicalizedBody: string;
}

export type SigstoreInstance = Awaited<ReturnType<typeof sigstoreInstance>>;

/** A whole second, since not every fraction can be parsed, and after the authorities are created. */
export function laterSecond(): Date {
  return new Date((Math.ceil(Date.now() / 1000) + 60) * 1000);
}

/**
 * An instance of Sigstore in this process, with its own keys.
 *
 * @param kind `public` has logs, like Sigstore's own instance. `private` has no logs and issues timestamps, like
 * GitHub's. `rekor v2` has a log without times, and issues timestamps.
 * @param clock the time of all that it signs
 */
export async function sigstoreInstance(kind: "public" | "private" | "rekor v2", clock = laterSecond()) {
  const hasLogs = kind !== "private";
  const hasStamps = kind !== "public";
  const ctlogKey = keyPair();
  const tlogKey = keyPair();
  const ctlog = hasLogs ? await initializeCTLog(ctlogKey, clock) : undefined;
  const ca = await initializeCA(keyPair(), ctlog, clock);
  const tlog = await initializeTLog("https://rekor.example.com", tlogKey, clock);
  const tsa = await initializeTSA(keyPair(), clock);
  const validFor = { start: new Date(Date.now() - 3_600_000).toISOString() };
  const log = (baseUrl: string, publicKey: Uint8Array) => ({
    baseUrl,
    hashAlgorithm: "SHA2_256",
    publicKey: { rawBytes: base64(publicKey), keyDetails: "PKIX_ECDSA_P256_SHA_256", validFor },
    logId: { keyId: createHash("sha256").update(publicKey).digest("base64") },
  });
  const authority = (uri: string, certificates: readonly ArrayBufferView[]) => ({
    subject: { organization: "sigstore.mock", commonName: "sigstore" },
    uri,
    certChain: { certificates: certificates.map((each) => ({ rawBytes: base64(each) })) },
    validFor,
  });

  /** The log's entries of an envelope, as the log returns them. */
  async function logged(envelope: LoggedEnvelope): Promise<TlogEntryJson[]> {
    if (!hasLogs) return [];
    const answer = await tlog.log(kind === "public" ? dsseEntry(envelope) : hashedEntry(envelope));
    const entries = Object.values(answer).map((entry) => entryJson(logAnswer.parse(entry)));
    if (kind === "public") return entries;
    return entries.map(({ inclusionPromise: _, ...entry }) => {
      return { ...entry, integratedTime: "0", kindVersion: { kind: "hashedrekord", version: "0.0.2" } };
    });
  }

  return {
    /** A line of `gh attestation trusted-root`. */
    trustedRoot: {
      mediaType: "application/vnd.dev.sigstore.trustedroot+json;version=0.1",
      tlogs: hasLogs ? [log("https://rekor.example.com", tlog.publicKey)] : [],
      certificateAuthorities: [authority("https://fulcio.example.com", [ca.rootCertificate])],
      ctlogs: ctlog ? [log("https://ctfe.example.com", ctlog.publicKey)] : [],
      timestampAuthorities: !hasStamps
        ? []
        : [authority("https://timestamp.example.com", [tsa.intCertificate, tsa.rootCertificate])],
    },
    /** Signs a statement as a workflow run does. */
    async sign(content: unknown, { run = {}, payloadType = "application/vnd.in-toto+json" }: Signing = {}) {
      const known = { ...RUN, ...run };
      const { publicKey, privateKey } = keyPair();
      const certificate = base64(
        await ca.issueCertificate({
          publicKey: publicKey.export({ type: "spki", format: "der" }),
          subjectAltName: known.signer,
          extensions: Object.entries(EXTENSIONS).map(([name, number]) => ({
            oid: `1.3.6.1.4.1.57264.1.${number}`,
            value: known[name as keyof Run],
          })),
        }),
      );
      const payload = Buffer.from(JSON.stringify(content));
      const signature = sign("sha256", signedBytes(payloadType, payload), privateKey);
      const stamp = await tsa.timestamp({
        artifactHash: createHash("sha256").update(signature).digest(),
        hashAlgorithmOID: "2.16.840.1.101.3.4.2.1",
        nonce: 1,
        policyOID: "1.3.6.1.4.1.57264.2",
      });
      const bundle: BundleJson = {
        mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
        verificationMaterial: {
          certificate: { rawBytes: certificate },
          tlogEntries: await logged({ payload, payloadType, signature, certificate }),
          timestampVerificationData: {
            rfc3161Timestamps: hasStamps ? [{ signedTimestamp: base64(stamp) }] : [],
          },
        },
        dsseEnvelope: {
          payload: payload.toString("base64"),
          payloadType,
          signatures: [{ sig: signature.toString("base64"), keyid: "" }],
        },
      };
      return bundle;
    },
  };
}

interface LoggedEnvelope {
  readonly payload: Buffer;
  readonly payloadType: string;
  readonly signature: Buffer;
  readonly certificate: string;
}

/** The first log's record of an envelope. */
function dsseEntry({ payload, signature, certificate }: LoggedEnvelope) {
  const pem = `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----\n`;
  return {
    apiVersion: "0.0.1",
    kind: "dsse",
    spec: {
      envelopeHash: { algorithm: "sha256", value: "0".repeat(64) },
      payloadHash: { algorithm: "sha256", value: createHash("sha256").update(payload).digest("hex") },
      signatures: [{ signature: signature.toString("base64"), verifier: base64(Buffer.from(pem)) }],
    },
  };
}

/** The second log's record: only the hash of what was signed. */
function hashedEntry({ payload, payloadType, signature, certificate }: LoggedEnvelope) {
  const digest = createHash("sha256").update(signedBytes(payloadType, payload)).digest("base64");
  return {
    apiVersion: "0.0.2",
    kind: "hashedrekord",
    spec: {
      hashedRekordV002: {
        data: { algorithm: "SHA2_256", digest },
        signature: {
          content: signature.toString("base64"),
          verifier: { keyDetails: "PKIX_ECDSA_P256_SHA_256", x509Certificate: { rawBytes: certificate } },
        },
      },
    },
  };
}

function keyPair() {
  return generateKeyPairSync("ec", { namedCurve: "P-256" });
}

/** The bytes that DSSE signs: type and payload, each with its length. */
function signedBytes(payloadType: string, payload: Buffer): Buffer {
  const head = `DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

const logAnswer = z.object({
  body: z.string(),
  integratedTime: z.number(),
  logID: z.string(),
  logIndex: z.number(),
  verification: z.object({
    signedEntryTimestamp: z.string(),
    inclusionProof: z.object({
      logIndex: z.number(),
      rootHash: z.string(),
      treeSize: z.number(),
      checkpoint: z.string(),
    }),
  }),
});

function entryJson(answer: z.infer<typeof logAnswer>): TlogEntryJson {
  const { body, integratedTime, logID, logIndex, verification } = answer;
  const { signedEntryTimestamp, inclusionProof } = verification;
  return {
    logIndex: String(logIndex),
    logId: { keyId: Buffer.from(logID, "hex").toString("base64") },
    kindVersion: { kind: "dsse", version: "0.0.1" },
    integratedTime: String(integratedTime),
    inclusionPromise: { signedEntryTimestamp },
    inclusionProof: {
      logIndex: String(inclusionProof.logIndex),
      rootHash: Buffer.from(inclusionProof.rootHash, "hex").toString("base64"),
      treeSize: String(inclusionProof.treeSize),
      hashes: [],
      checkpoint: { envelope: inclusionProof.checkpoint },
    },
    canonicalizedBody: body,
  };
}

function base64(bytes: ArrayBufferView): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
}
