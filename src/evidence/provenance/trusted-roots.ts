import { TrustedRoot } from "@sigstore/protobuf-specs";
import { type TrustMaterial, toTrustMaterial, type VerifierOptions } from "@sigstore/verify";
import { InputError } from "../../api/client/errors.ts";

/** An instance of Sigstore that is trusted: who issues its certificates, keeps its logs and stamps its times. */
export interface TrustedInstance {
  readonly material: TrustMaterial;
  /** How many proofs of each sort a bundle of this instance needs. */
  readonly thresholds: Required<Omit<VerifierOptions, "tsaThreshold">>;
}

/** How to make the file, for messages. */
export const TRUSTED_ROOT_ADVICE =
  "Make it with `gh attestation trusted-root > trusted_root.jsonl`, which has the public instance and GitHub's own.";

/**
 * Reads trusted roots: one as JSON, or several as JSON lines.
 *
 * @throws {InputError} (`trusted-root`) for anything else
 */
export function readTrustedRoots(text: string, path: string): TrustedInstance[] {
  try {
    return jsonValues(text).map(instanceOf);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new InputError([{ input: "trusted-root", problem: `'${path}' holds no trusted root: ${why}` }], {
      advice: TRUSTED_ROOT_ADVICE,
      cause,
    });
  }
}

/** The values of JSON text, or of JSON lines. */
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
  if (certificateAuthorities.length === 0) throw new Error("it names no certificate authority");
  // Without either, nothing would say when a bundle was signed, and the certificates are valid for minutes.
  if (tlogs.length === 0 && timestampAuthorities.length === 0)
    throw new Error("it names neither a transparency log nor a timestamp authority");
  // What an instance has, its bundles must show. GitHub's own has no log, so that it tells nothing of private
  // repositories: there the timestamp alone proves the time.
  const thresholds = {
    tlogThreshold: tlogs.length > 0 ? 1 : 0,
    ctlogThreshold: ctlogs.length > 0 ? 1 : 0,
    timestampThreshold: 1,
  };
  return { material, thresholds };
}
