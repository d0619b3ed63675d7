import type { Reply } from "../../api/client/call.ts";
import type { FilePlace } from "../../api/client/errors.ts";
import type { FileToSend, OperationShape } from "../../api/operation.ts";
import type { Table } from "../../github/step/summary.ts";
import type { Origin } from "../origin.ts";
import type { ArtifactInputs, AttestationInputs, OtherInputs } from "./inputs.ts";

/** The inputs of an attestation, and the fingerprint of the artifact that it is about. */
export type Fingerprinted =
  | {
      readonly kind: "artifact";
      readonly values: ArtifactInputs;
      readonly fingerprint: string;
    }
  | {
      readonly kind: OtherInputs["kind"];
      readonly values: OtherInputs;
      readonly fingerprint: string | undefined;
    };

/** What an attestation of any kind is made of. */
export type AttestationRequest = Fingerprinted & { readonly trail: string; readonly origin: Origin };

/** That an artifact was built. */
export type ArtifactRequest = Extract<AttestationRequest, { kind: "artifact" }>;

/** A request whose kind cannot do without some inputs. */
export type RequestWith<Essentials> = AttestationRequest & { readonly values: Essentials };

/** The outcome of recording an attestation. */
export interface Recorded {
  /** What the service answered; undefined when nothing was sent. */
  readonly reply: Pick<Reply<OperationShape>, "requestId" | "headers"> | undefined;
  /** Names of the files sent. */
  readonly attachments: readonly string[];
  /** As the service judges it; undefined when only the service knows, and for what has no verdict. */
  readonly compliant: boolean | undefined;
  /** Why it is not compliant, in one sentence without a full stop; empty when it is, or nobody said. */
  readonly reason: string;
  /** What there is to see of the evidence itself. */
  readonly tables: readonly Table[];
  /** What is to be shown where it is in the sources. */
  readonly remarks?: readonly Remarks[];
}

/** What failed or was found, the worst first. */
export interface Remarks {
  readonly first: readonly Remark[];
  /** How many more there are. */
  readonly further: number;
}

export interface Remark {
  readonly title: string;
  readonly text: string;
  /** Unknown when the report does not tell. */
  readonly place?: FilePlace;
}

/** The type of an attestation's record; undefined for an override, whose type is that of what it overrides. */
export function typeOf(values: AttestationInputs): string | undefined {
  switch (values.kind) {
    case "custom":
      return `custom:${values.typeName}`;
    case "override":
      return undefined;
    case "test":
      return "junit";
    case "scan":
    case "sbom":
    case "provenance":
      return "generic";
    default:
      return values.kind;
  }
}

/** The fields that attestations of every kind have. */
export function commonFields({ values, fingerprint, origin }: AttestationRequest) {
  const { attestationName, targets } = values;
  return {
    attestationName,
    ...(fingerprint !== undefined && { artifactFingerprint: fingerprint }),
    ...(targets.length > 0 && { targetArtifacts: targets }),
    ...(Object.keys(values.annotations).length > 0 && { annotations: values.annotations }),
    ...origin,
  };
}

/** What is sent of an attestation of whatever kind: where to, with which files, and the fields that all kinds have. */
export interface Submission {
  readonly to: {
    readonly flowName: string;
    readonly trailName: string;
    readonly files: { readonly attachmentFile: readonly FileToSend[] };
  };
  readonly fields: ReturnType<typeof commonFields>;
  /** Names of the files. */
  readonly attachments: readonly string[];
  /** What there is to see of files that describe themselves. */
  readonly tables: readonly Table[];
  /** Why files that look like an SBOM are not read as one. */
  readonly unread?: readonly string[];
}
