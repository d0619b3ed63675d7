import { call } from "../api/client/call.ts";
import type { Connection } from "../api/client/connection.ts";
import { ApiError } from "../api/client/errors.ts";
import { parseJson } from "../api/json.ts";
import { getArtifact } from "../api/resources/artifacts.ts";
import {
  getArtifactAttestation,
  listAttestations,
  listTrailAttestations,
} from "../api/resources/attestations.ts";
import { asObject } from "../api/untyped.ts";
import { MARK, type Submission } from "./submission.ts";

/** Subject of a submission. */
interface Subject {
  readonly flow: string;
  readonly trail: string | undefined;
  readonly fingerprint: string | undefined;
  /** Names of artifacts in the template. */
  readonly targets: readonly string[];
  /** The attestation's name; undefined for a report of an artifact. */
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

/** Allowed difference between the submitter's and the service's clocks. */
const CLOCK_DIFFERENCE_MS = 86_400_000;
const PER_PAGE = 100;

/**
 * Whether the service has the record already. Checked before each replay, because services forget an `Idempotency-Key`
 * after a day or at once, and recognize it only with the same API key.
 */
export async function isOnRecord(connection: Connection, submission: Submission): Promise<boolean> {
  const subject = subjectOf(submission);
  try {
    return subject.attestation === undefined
      ? await isReported(connection, submission, subject)
      : await isAttested(connection, submission, { ...subject, name: subject.attestation });
  } catch (error) {
    // The flow, trail or artifact is missing, and so are its records.
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

/**
 * An artifact shows only its latest report. A later report to the same trail counts too: repeating this one would
 * replace newer facts.
 */
async function isReported(
  connection: Connection,
  { id, submittedAt }: Submission,
  { flow, trail, fingerprint = "" }: Subject,
): Promise<boolean> {
  const { body } = await call(connection, getArtifact, {
    flowName: flow,
    fingerprint,
    ...(trail !== undefined && { trail }),
  });
  return body.annotations?.[MARK] === id || Number(body.createdAt) * 1000 >= submittedAt.getTime();
}

/** Each list has only its own attestations: the trail's omits those of artifacts. */
async function isAttested(
  connection: Connection,
  submission: Submission,
  { flow, trail = "", fingerprint, targets, name }: Subject & { readonly name: string },
): Promise<boolean> {
  if (fingerprint === undefined && targets.length > 0)
    return isAmongAll(connection, submission, { flow, name });
  const about = { flowName: flow, attestationName: name };
  const { body } =
    fingerprint === undefined
      ? await call(connection, listTrailAttestations, { ...about, trailName: trail })
      : await call(connection, getArtifactAttestation, { ...about, fingerprint });
  return body.some(({ annotations }) => annotations?.[MARK] === submission.id);
}

/**
 * Searches all attestations of the flow. Those for a template's artifact are in no other list until that artifact is
 * reported.
 */
async function isAmongAll(
  connection: Connection,
  { id, submittedAt }: Submission,
  { flow, name }: { readonly flow: string; readonly name: string },
): Promise<boolean> {
  const fromTimestamp = Math.floor((submittedAt.getTime() - CLOCK_DIFFERENCE_MS) / 1000);
  const query = { name, flow: [flow], fromTimestamp, perPage: PER_PAGE };
  for (let after: string | undefined; ; ) {
    const { body } = await call(connection, listAttestations, {
      ...query,
      ...(after !== undefined && { after }),
    });
    if (body.data.some(({ annotations }) => annotations?.[MARK] === id)) return true;
    after = body._links?.next?.after ?? undefined;
    if (after === undefined) return false;
  }
}
