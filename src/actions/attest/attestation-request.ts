import type { FilePlace } from "../../api/client/errors.ts";
import type { Reply } from "../../api/client/reply.ts";
import type { FileToSend } from "../../api/files.ts";
import type { ActionContext } from "../../github/step/action.ts";
import type { Table } from "../../github/step/summary.ts";
import type { Origin } from "../origin.ts";
import { factsOf } from "./facts.ts";
import type { ArtifactInputs, AttestationInputs, OtherInputs } from "./inputs.ts";

/** The inputs of an attestation, and the fingerprint of its artifact. */
export type Fingerprinted =
  | { readonly kind: "artifact"; readonly values: ArtifactInputs; readonly fingerprint: string }
  | {
      readonly kind: OtherInputs["kind"];
      readonly values: OtherInputs;
      readonly fingerprint: string | undefined;
    };

export type AttestationRequest = Fingerprinted & { readonly trail: string; readonly origin: Origin };

export type ArtifactRequest = Extract<AttestationRequest, { kind: "artifact" }>;

/** Records an attestation of one kind, whose inputs have its essentials. */
export type Recorder<Essentials = unknown, Request = AttestationRequest> = (
  attestation: Request & { readonly values: Essentials },
  context: ActionContext,
) => Promise<Recorded>;

export interface Recorded {
  /** Undefined when nothing was sent. */
  readonly reply: Pick<Reply<unknown>, "requestId" | "headers"> | undefined;
  readonly attachments: readonly string[];
  /** The service's result; undefined when only the service knows it, and for artifacts. */
  readonly compliant: boolean | undefined;
  /** One sentence without a full stop; empty when compliant or unknown. */
  readonly reason: string;
  readonly tables: readonly Table[];
  /** Annotations in the sources. */
  readonly remarks?: readonly Remarks[];
}

export interface Remarks {
  readonly first: readonly Remark[];
  readonly further: number;
}

export interface Remark {
  readonly title: string;
  readonly text: string;
  /** Unknown when the report has no location. */
  readonly place?: FilePlace;
}

/** The type of an attestation's record; undefined for an override, which has the type of its target. */
export function typeOf(values: AttestationInputs): string | undefined {
  const facts = factsOf(values);
  if (facts !== undefined) return `system:${facts}`;
  switch (values.kind) {
    case "custom":
      return `custom:${values.typeName}`;
    case "decision":
      return "system:decision";
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

/** Fields common to all kinds. */
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

/** The parts of a request common to all kinds. */
export interface Submission {
  readonly to: {
    readonly flowName: string;
    readonly trailName: string;
    readonly files: { readonly attachmentFile: readonly FileToSend[] };
  };
  readonly fields: ReturnType<typeof commonFields>;
  readonly attachments: readonly string[];
  readonly tables: readonly Table[];
  /** Why files that look like an SBOM could not be read as one. */
  readonly unread?: readonly string[];
}
