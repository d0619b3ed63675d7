import type { Signer } from "@sigstore/verify";

/** What Sigstore's authority wrote into a certificate about the workflow run that it is for. */
export interface CertificateFacts {
  /** Who vouched for the run: the issuer of its identity token. */
  readonly issuer: string;
  /** Such as `https://github.com/acme/web/.github/workflows/build.yml@refs/heads/main`. */
  readonly signer: string;
  readonly runnerEnvironment: string;
  /** The address of the repository that the run is of. */
  readonly sourceRepository: string;
  readonly commit: string;
  readonly sourceRef: string;
  readonly sourceRepositoryId: string;
  readonly sourceRepositoryOwnerId: string;
  readonly trigger: string;
  readonly run: string;
  readonly visibility: string;
}

/** Fulcio's own extensions are below this. */
const ARC = "1.3.6.1.4.1.57264.1.";
const UTF8_STRING = 0x0c;

/** The facts in a certificate that was verified. What it does not say is empty. */
export function certificateFacts({ identity }: Signer): CertificateFacts {
  const extensions = new Map(identity?.oids?.map(({ oid, value }) => [oid?.id.join("."), value]));
  const fact = (last: number) => utf8String(extensions.get(`${ARC}${last}`));
  return {
    issuer: fact(8),
    signer: identity?.subjectAlternativeName ?? "",
    runnerEnvironment: fact(11),
    sourceRepository: fact(12),
    commit: fact(13),
    sourceRef: fact(14),
    sourceRepositoryId: fact(15),
    sourceRepositoryOwnerId: fact(17),
    trigger: fact(20),
    run: fact(21),
    visibility: fact(22),
  };
}

/** The text of a UTF8String in DER; empty for anything else. */
function utf8String(der: Buffer | undefined): string {
  if (der?.[0] !== UTF8_STRING) return "";
  const first = der[1] ?? 0;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  const length = lengthBytes === 0 ? first : Number.parseInt(der.toString("hex", 2, 2 + lengthBytes), 16);
  const text = der.subarray(2 + lengthBytes);
  return text.length === length ? text.toString("utf8") : "";
}
