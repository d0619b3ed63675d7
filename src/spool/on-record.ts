import { call } from "../api/client/call.ts";
import type { Connection } from "../api/client/connection.ts";
import { ApiError } from "../api/client/errors.ts";
import { getArtifact } from "../api/resources/artifacts.ts";
import {
  getArtifactAttestation,
  listAttestations,
  listTrailAttestations,
} from "../api/resources/attestations.ts";
import { type Subject, subjectOf } from "./subject.ts";
import { MARK, type Submission } from "./submission.ts";

/** How far the clock of the machine that submitted may have been ahead of the service's. */
const CLOCK_DIFFERENCE_MS = 86_400_000;
const PER_PAGE = 100;

/**
 * Whether the service has a submission on record. It is asked before each replay, because what a service remembers of
 * an `Idempotency-Key` ends after a day and with the API key, and some services remember nothing.
 */
export async function isOnRecord(connection: Connection, submission: Submission): Promise<boolean> {
  const subject = subjectOf(submission);
  try {
    return subject.attestation === undefined
      ? await isReported(connection, submission, subject)
      : await isAttested(connection, submission, { ...subject, name: subject.attestation });
  } catch (error) {
    // The flow, trail or artifact is not there, and so nothing on it.
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

/**
 * An artifact shows only its latest report. One that was reported to the trail since counts as well: to report it
 * again would put older facts over newer ones.
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

/** Each list holds what is bound to its own: the trail's knows nothing of what is attested of an artifact. */
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

/** What is for an artifact of the template is on no other list before that artifact is reported. */
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
