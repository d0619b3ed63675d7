import {
  type AnySubmission,
  anySubmission,
  COMPLIANT_HEADER,
} from "../../../api/resources/attestation-fields.ts";
import { matchTemplate } from "../../../api/resources/match-template.ts";
import { FLOW_CREATED_HEADER } from "../../../api/resources/provenance.ts";
import {
  formatTemplateMatch,
  TEMPLATE_MATCH_HEADER,
  type TemplateMatch,
} from "../../../api/resources/template-match.ts";
import { type Schema, toWire } from "../../../api/wire-names.ts";
import type { EvaluatedBy } from "../../judging/policies/decided-by.ts";
import type { Caller, Organization } from "../../kernel/caller.ts";
import { Invalid } from "../../kernel/errors.ts";
import { asLinkObjects, fieldsIn, jsonColumn } from "../../kernel/json-column.ts";
import type { ServiceContext } from "../../operation/context.ts";
import { requestContextOf, type Sender } from "../../operation/handler.ts";
import { once, type RequestIdentity } from "../../operation/idempotency.ts";
import type { ReceivedFile } from "../../store/blobs/attachments.ts";
import { together } from "../../store/prepared.ts";
import type { Database } from "../../store/tables.ts";
import type { TrailRecords } from "../compliance/trail-records.ts";
import { originHeader, spooledByField } from "../origins/compare.ts";
import { findPlace, type Names, openTrail, requireOpenTrail, trailKeys } from "../trails/open-trail.ts";
import { addAttestation, type Override, requireReported } from "./records.ts";

export interface Evaluation {
  type: string;
  isCompliant: boolean;
  /** Fields of the record that replace submitted fields, by their names in the record. */
  shown?: Readonly<Record<string, unknown>>;
  /** The published policy by which the service itself evaluated a decision. Never taken from a request. */
  evaluatedBy?: EvaluatedBy;
}

/** Properties of a kind of attestation. */
export interface Kind<B extends AnySubmission> {
  schema: Schema;
  /** Submitted fields that the record shows, with their names in the record. */
  shows: Readonly<Record<string, string>>;
  evaluate(
    body: B,
    at: { org: Organization; caller: Caller; context: ServiceContext },
  ): Evaluation | Promise<Evaluation>;
}

export type Submission<B extends AnySubmission = AnySubmission> = Sender & {
  identity: RequestIdentity;
  params: Names;
  body: B;
  files: { attachmentFile: readonly ReceivedFile[] };
};

interface Recorded {
  status: 201;
  headers: Record<string, string>;
  body: string;
}

export function attestHandler<B extends AnySubmission>(kind: Kind<B>) {
  return async (call: Submission<B>, context: ServiceContext): Promise<Recorded> => {
    requireBinding(call.body);
    const evaluation = await kind.evaluate(call.body, { org: call.org, caller: call.caller, context });
    const shown = { ...renamed(toWire(kind.schema, call.body), kind.shows), ...evaluation.shown };
    return record(call, context, { mayBegin: true, resolve: () => ({ ...evaluation, shown }) });
  };
}

interface Recording {
  /** Whether a missing flow and trail are created. */
  readonly mayBegin: boolean;
  readonly resolve: (trail: TrailRecords) => Evaluation & { override?: Override };
  /** Writes in the same transaction. If it throws, nothing is recorded. */
  readonly alongside?: (db: Database, attestationId: string) => Promise<void>;
}

/** Records a submission once, with its files. */
export async function record(
  call: Submission,
  context: ServiceContext,
  { mayBegin, resolve, alongside }: Recording,
): Promise<Recorded> {
  const { org, params, body, files, identity } = call;
  const by = requestContextOf(call, context);
  const { gitCommitInfo = null, repoInfo = null, originUrl: run } = body;
  const stated = { gitCommitInfo, repoInfo, run };
  const ofOrigin = originHeader(by, stated);
  const subjectIn = ({ id }: TrailRecords) => `attestation/${id}/${body.attestationName}`;
  const write = (db: Database): Promise<Recorded> =>
    once(db, {
      identity,
      subjectOf: (found) =>
        found?.trail?.attestations.some(({ name }) => name === body.attestationName)
          ? subjectIn(found.trail)
          : undefined,
      now: by.now,
      lookUp: () => findPlace(db, org.id, params),
      record: async ({ found, keep }) => {
        const place = mayBegin
          ? await openTrail(db, org, params, by, found)
          : await requireOpenTrail(db, org, params, found);
        const { trail } = place;
        requireReported(trail, body.artifactFingerprint, { org, ...params });
        const { shown, ...evaluation } = resolve(trail);
        const details = { ...commonDetails(body), ...shown, ...spooledByField(by) };
        const answer = {
          status: 201,
          headers: {
            ...ofOrigin,
            [TEMPLATE_MATCH_HEADER]: formatTemplateMatch(
              templateMatch(trail, { ...body, type: evaluation.type }),
            ),
            [COMPLIANT_HEADER]: String(evaluation.isCompliant),
            [FLOW_CREATED_HEADER]: String(place.isFlowNew),
          },
          body: "OK",
        } as const;
        const attestation = {
          ...evaluation,
          name: body.attestationName,
          artifactFingerprint: body.artifactFingerprint ?? null,
          targetArtifacts: [...new Set(body.targetArtifacts)],
          commitSha: gitCommitInfo?.sha1 ?? null,
          gitCommitInfo: jsonColumn(details["git_commit_info"]),
          repoInfo,
          stated,
          details: JSON.stringify(details),
          files: files.attachmentFile,
        };
        const added = addAttestation(db, { ...place, trailName: params.trailName }, attestation, by);
        const [id] = await together([added, keep(answer, subjectIn(trail))]);
        await alongside?.(db, id);
        return answer;
      },
    });
  // No keys for an override, which appends to the audit log, whose order matters, nor for what is written alongside.
  const options = mayBegin ? { keys: trailKeys(org, params, identity) } : {};
  return context.attachments.keepFor(files.attachmentFile, () => context.store.write(write, options));
}

/** An attestation for artifact names needs a fingerprint, or a commit that identifies the build. @throws Invalid */
export function requireBinding({ artifactFingerprint, targetArtifacts, gitCommitInfo }: AnySubmission): void {
  if (!targetArtifacts?.length || artifactFingerprint || gitCommitInfo) return;
  throw new Invalid(
    "attestation.subject_missing",
    `An attestation for artifact '${targetArtifacts.join("', '")}' requires at least one of: artifact_fingerprint or git_commit_info.`,
  );
}

function templateMatch(
  { template, artifacts: reported }: TrailRecords,
  body: AnySubmission & { type: string },
): TemplateMatch {
  const { attestationName: attestation, type, artifactFingerprint, targetArtifacts, gitCommitInfo } = body;
  if (artifactFingerprint) {
    const artifacts = reported
      .filter(({ fingerprint }) => fingerprint === artifactFingerprint)
      .map(({ templateName, filename }) => templateName ?? filename);
    return matchTemplate(template, { attestation, type, artifacts });
  }
  const artifacts = targetArtifacts ?? [];
  // See `isAbout` in `compliance/evaluate.ts`.
  const elsewhere = artifacts.filter((name) => {
    const ofName = reported.filter(({ templateName }) => templateName === name);
    return ofName.length > 0 && ofName.every(({ commitSha }) => commitSha !== (gitCommitInfo?.sha1 ?? null));
  });
  return matchTemplate(template, { attestation, type, artifacts, elsewhere });
}

/** Fields of all kinds that are only displayed, in wire names. */
function commonDetails(body: AnySubmission): Record<string, unknown> {
  const { description, originUrl, targetArtifacts, gitCommitInfo, annotations, userData } = body;
  const externalUrls = asLinkObjects(body.externalUrls);
  const details = {
    description: description ?? null,
    originUrl: originUrl ?? null,
    targetArtifacts,
    gitCommitInfo,
    externalUrls,
    annotations,
    userData: userData ?? {},
  };
  return fieldsIn(toWire(anySubmission, details));
}

function renamed(body: unknown, names: Readonly<Record<string, string>>): Record<string, unknown> {
  const fields = fieldsIn(body);
  const entries = Object.entries(names).map(([sent, shown]) => [shown, fields[sent]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
