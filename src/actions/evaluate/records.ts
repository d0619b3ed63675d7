import { InputError } from "../../api/client/errors.ts";
import { getArtifact } from "../../api/resources/artifacts.ts";
import { attestationRecord } from "../../api/resources/attestation-record.ts";
import { listAttestations } from "../../api/resources/attestations.ts";
import type { EvaluationContext } from "../../api/resources/evaluation-record.ts";
import { getSnapshot } from "../../api/resources/snapshots.ts";
import { getTrail, listTrails } from "../../api/resources/trails.ts";
import { asObject, asText, type Untyped } from "../../api/untyped.ts";
import { toWire } from "../../api/wire-names.ts";
import {
  artifactInput,
  attestationIds,
  snapshotInput,
  type TrailRecords,
  trailsInput,
} from "../../evidence/rego/inputs.ts";
import type { ActionContext } from "../../github/step/action.ts";
import { fewAtATime } from "../../net/few-at-a-time.ts";
import { adviseMissing } from "../missing-advice.ts";

export interface TrailName {
  readonly flow: string;
  readonly trail: string;
}

/** The records to evaluate. */
export type Subject =
  | { readonly trails: readonly TrailName[] }
  | { readonly fingerprint: string }
  | { readonly environment: string; readonly snapshot: string };

/** The input of the policy and what it is about. */
export interface EvaluationInput {
  readonly document: Untyped;
  readonly context: EvaluationContext;
  /** The trail on which a decision is recorded, if the records name one. */
  readonly trail?: TrailName;
}

type Reader = Pick<ActionContext, "call">;

const TRAILS_AT_ONCE = 4;
const RECORDS_AT_ONCE = 8;
/** Newest attestations of a trail that are read as a list. Others are requested one by one. */
const MAX_PAGES = 5;
const PER_PAGE = 100;
/** Trails of one artifact. Newer ones count first. */
const MAX_ARTIFACT_TRAILS = 20;

/** @throws the errors of a request */
export async function readRecords(subject: Subject, context: Reader): Promise<EvaluationInput> {
  if ("trails" in subject) {
    const { trails } = subject;
    const document = trailsInput(await readTrails(trails, context));
    const [only, ...others] = trails;
    return {
      document,
      context: { trails: trails.map(({ flow, trail }) => ({ flow, trail })) },
      ...(only && others.length === 0 && { trail: only }),
    };
  }
  return "fingerprint" in subject ? readArtifact(subject, context) : readSnapshot(subject, context);
}

async function readTrails(trails: readonly TrailName[], context: Reader): Promise<TrailRecords[]> {
  return await fewAtATime(TRAILS_AT_ONCE, trails, (name) => readTrail(name, context));
}

/** The list of attestations is requested together with the trail, because most trails need no other. */
async function readTrail(name: TrailName, { call }: Reader): Promise<TrailRecords> {
  const { flow, trail } = name;
  const missing = (error: unknown) => {
    throw adviseMissing(error, `Begin the trail '${trail}' of the flow '${flow}', or correct \`trails\`.`);
  };
  const [reply, first] = await Promise.all([
    call(getTrail, { flowName: flow, trailName: trail }).catch(missing),
    call(listAttestations, { flow: [flow], trail, perPage: PER_PAGE }).catch(missing),
  ]);
  const record = asObject(toWire(getTrail.responses[200], reply?.body));
  const wanted = new Set(attestationIds(record));
  const attestations: Untyped[] = [];
  let page = first?.body;
  for (let pages = 1; page !== undefined; pages++) {
    for (const each of page.data) {
      if (!wanted.delete(each.attestationId)) continue;
      attestations.push(asObject(toWire(attestationRecord, each)));
    }
    const after = page._links?.next?.after;
    if (wanted.size === 0 || after === undefined || pages >= MAX_PAGES) break;
    page = (await call(listAttestations, { flow: [flow], trail, perPage: PER_PAGE, after }))?.body;
  }
  // Attestations of an artifact may be on another trail.
  const others = await fewAtATime(RECORDS_AT_ONCE, [...wanted], async (attestationId) => {
    const found = await call(listAttestations, { attestationId });
    return (found?.body.data ?? []).map((each) => asObject(toWire(attestationRecord, each)));
  });
  return { trail: record, attestations: [...attestations, ...others.flat()] };
}

async function readArtifact(
  { fingerprint }: { readonly fingerprint: string },
  context: Reader,
): Promise<EvaluationInput> {
  const { call } = context;
  const trails = await artifactTrails(fingerprint, MAX_ARTIFACT_TRAILS, context);
  const [newest] = trails;
  if (newest === undefined) throw new Error("no trails were read");
  const [artifact, records] = await Promise.all([
    call(getArtifact, { flowName: newest.flow, fingerprint }),
    readTrails(trails, context),
  ]);
  const record = asObject(toWire(getArtifact.responses[200], artifact?.body));
  return {
    document: artifactInput(record, records),
    context: { artifact: asText(record["fingerprint"]) || fingerprint },
    trail: newest,
  };
}

/**
 * The newest trails that report an artifact; none in a dry run.
 *
 * @throws {InputError} (`fingerprint`) if there are none
 */
export async function artifactTrails(
  fingerprint: string,
  most: number,
  { call }: Reader,
): Promise<TrailName[]> {
  const listed = await call(listTrails, { fingerprint, count: false, perPage: most });
  if (listed?.body.data.length === 0)
    throw new InputError([{ input: "fingerprint", problem: `no trail reports the artifact ${fingerprint}` }]);
  return (listed?.body.data ?? []).map(({ name, flow }) => ({ flow: flow.name, trail: name }));
}

async function readSnapshot(
  { environment, snapshot }: { readonly environment: string; readonly snapshot: string },
  { call }: Reader,
): Promise<EvaluationInput> {
  const reply = await call(getSnapshot, { envName: environment, snapshotExpression: snapshot });
  const record = asObject(toWire(getSnapshot.responses[200], reply?.body));
  return {
    document: snapshotInput(record),
    context: { environment, snapshot: Number(record["index"]) },
  };
}
