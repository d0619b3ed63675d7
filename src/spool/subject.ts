import { parseJson } from "../api/json.ts";
import { asObject } from "../api/untyped.ts";
import type { Submission } from "./submission.ts";

/** What a submission is about. */
export interface Subject {
  readonly flow: string;
  readonly trail: string | undefined;
  /** Of the artifact. */
  readonly fingerprint: string | undefined;
  /** Names of artifacts in the template. */
  readonly targets: readonly string[];
  /** The attestation's name; undefined for the report of an artifact. */
  readonly attestation: string | undefined;
}

export function subjectOf({ prepared }: Pick<Submission, "prepared">): Subject {
  const { params, json = "" } = prepared;
  const body = asObject(parseJson(json)?.value);
  const attestation = textOf(body["attestation_name"]);
  return {
    flow: textOf(params["flow_name"]) ?? "",
    trail: textOf(params["trail_name"]) ?? textOf(body["trail_name"]),
    fingerprint: textOf(body[attestation === undefined ? "fingerprint" : "artifact_fingerprint"]),
    targets: Array.isArray(body["target_artifacts"]) ? body["target_artifacts"].map(String) : [],
    attestation,
  };
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
