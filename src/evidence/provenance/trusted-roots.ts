import { TrustedRoot } from "@sigstore/protobuf-specs";
import { type TrustMaterial, toTrustMaterial, type VerifierOptions } from "@sigstore/verify";
import { InputError } from "../../api/client/errors.ts";

/** A trusted Sigstore instance: its certificate authorities, logs and timestamp authorities. */
export interface TrustedInstance {
  readonly material: TrustMaterial;
  /** Number of proofs of each kind that a bundle of this instance needs. */
  readonly thresholds: Required<Omit<VerifierOptions, "tsaThreshold">>;
}

export const TRUSTED_ROOT_ADVICE =
  "Create it with `gh attestation trusted-root > trusted_root.jsonl`, which includes the public instance and GitHub's own.";

/**
 * Reads one root as JSON, or several as JSON lines.
 *
 * @throws {InputError} (`trusted-root`)
 */
export function readTrustedRoots(text: string, path: string): TrustedInstance[] {
  try {
    return jsonValues(text).map(instanceOf);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new InputError([{ input: "trusted-root", problem: `'${path}' has no trusted root: ${why}` }], {
      advice: TRUSTED_ROOT_ADVICE,
      cause,
    });
  }
}

export function jsonValues(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch (cause) {
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    if (lines.length < 2) throw cause;
    return lines.map((line) => JSON.parse(line));
  }
}

/** @throws Error that says what is missing */
export function instanceOf(root: unknown): TrustedInstance {
  const { mediaType, ...parsed } = TrustedRoot.fromJSON(root);
  if (!mediaType.startsWith("application/vnd.dev.sigstore.trustedroot"))
    throw new Error(`its mediaType is '${mediaType}'`);
  const material = toTrustMaterial({ mediaType, ...parsed });
  const { certificateAuthorities, tlogs, ctlogs, timestampAuthorities } = material;
  if (certificateAuthorities.length === 0) throw new Error("it has no certificate authority");
  // Without either, the time of a signature is unknown, and certificates are valid for minutes.
  if (tlogs.length === 0 && timestampAuthorities.length === 0)
    throw new Error("it has neither a transparency log nor a timestamp authority");
  // A bundle must have every proof that its instance offers. GitHub's own instance has no log, to keep private
  // repositories secret, so there the timestamp alone proves the time.
  const thresholds = {
    tlogThreshold: tlogs.length > 0 ? 1 : 0,
    ctlogThreshold: ctlogs.length > 0 ? 1 : 0,
    timestampThreshold: 1,
  };
  return { material, thresholds };
}
