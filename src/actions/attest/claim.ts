import type { Reply } from "../../api/call.ts";
import type { FilePlace } from "../../api/errors.ts";
import type { OperationShape } from "../../api/operation.ts";
import type { Table } from "../../github/summary.ts";
import type { Origin } from "../origin.ts";
import type { ClaimValues } from "./inputs.ts";

/** What an attestation of any kind is made of. */
export interface Claim {
  readonly values: ClaimValues;
  readonly flow: string;
  readonly trail: string;
  /** As the user wrote it: `attestation` or `artifact.attestation`. */
  readonly name: string;
  readonly fingerprint: string | undefined;
  readonly origin: Origin;
}

/** What came of recording a claim. */
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

/** An attestation's name by itself, and the artifacts in the template that it is for. */
export function namesOf({ values, name }: Pick<Claim, "values" | "name">) {
  const [attestationName = "", target] = name.split(".").reverse();
  return { attestationName, targets: target === undefined ? values.targetArtifacts : [target] };
}

/** The type of an attestation's record; undefined for an override, whose type is that of what it overrides. */
export function typeOf({ kind, typeName = "" }: ClaimValues): string | undefined {
  if (kind === "custom") return `custom:${typeName}`;
  return kind === "override" ? undefined : kind;
}

/** The fields that attestations of every kind have. */
export function commonFields({ values, name, fingerprint, origin }: Claim) {
  const { attestationName, targets } = namesOf({ values, name });
  return {
    attestationName,
    ...(fingerprint !== undefined && { artifactFingerprint: fingerprint }),
    ...(targets.length > 0 && { targetArtifacts: targets }),
    ...(Object.keys(values.annotations).length > 0 && { annotations: values.annotations }),
    ...origin,
  };
}
