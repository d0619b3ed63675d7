import {
  type AnySubmission,
  anySubmission,
  COMPLIANT_HEADER,
} from "../../../api/resources/attestation-fields.ts";
import { matchTemplate } from "../../../api/resources/match-template.ts";
import {
  formatTemplateMatch,
  TEMPLATE_MATCH_HEADER,
  type TemplateMatch,
} from "../../../api/resources/template-match.ts";
import { FLOW_CREATED_HEADER } from "../../../api/submission.ts";
import { type Schema, toWire } from "../../../api/wire-names.ts";
import { requireBinding, trailToAttest } from "../../attestations/binding.ts";
import { attested } from "../../attestations/happenings.ts";
import { raise } from "../../events/projections/raise.ts";
import { rulesOf } from "../../events/projections/rules.ts";
import { asLinkObjects } from "../../kernel/external-urls.ts";
import { jsonColumn } from "../../kernel/json-column.ts";
import type { Organization } from "../../kernel/organization.ts";
import type { ActContext } from "../../kernel/request-context.ts";
import type { ServiceContext } from "../../operation/context.ts";
import type { Sender } from "../../operation/handler.ts";
import { once, type RequestIdentity } from "../../operation/idempotency.ts";
import { requestContextOf } from "../../operation/request-context.ts";
import { originHeader } from "../../origins/record-origin.ts";
import { spooledByField } from "../../origins/spooled-by.ts";
import type { ReceivedFile } from "../../store/blobs/attachments.ts";
import type { Database } from "../../store/tables.ts";
import { together } from "../../store/together.ts";
import type { TrailRecords } from "../compliance/trail-records.ts";
import { authorsOf } from "../origins/authors.ts";
import { findPlace, type OpenTrail } from "../trails/open-trail.ts";
import { addAttestation } from "./records.ts";

/** What a submission amounts to, as its kind judges it. */
export interface Judgement {
  /** The type of the record. */
  type: string;
  isCompliant: boolean;
  /** What the record shows in place of what was sent, by its name there. */
  shown?: Readonly<Record<string, unknown>>;
}

/** A kind of attestation: all in which it differs from the others. */
export interface Kind<B extends AnySubmission> {
  schema: Schema;
  /** The fields of the submission that the record shows, and under which name there. */
  shows: Readonly<Record<string, string>>;
  judge(body: B, at: { org: Organization; context: ServiceContext }): Judgement | Promise<Judgement>;
}

/** A submission of any kind. */
export type Submission<B extends AnySubmission = AnySubmission> = Sender & {
  identity: RequestIdentity;
  params: { flowName: string; trailName: string };
  body: B;
  files: { attachmentFile: readonly ReceivedFile[] };
};

/** The answer to a submission; its headers say what only the service knows of it. */
interface Recorded {
  status: 201;
  headers: Record<string, string>;
  body: string;
}

/** Handles the submissions of one kind. */
export function attestHandler<B extends AnySubmission>(kind: Kind<B>) {
  return async (call: Submission<B>, context: ServiceContext): Promise<Recorded> => {
    requireBinding(call.body);
    const judgement = await kind.judge(call.body, { org: call.org, context });
    const shown = { ...renamed(toWire(kind.schema, call.body), kind.shows), ...judgement.shown };
    return record(call, context, { mayBegin: true, resolve: () => ({ ...judgement, shown }) });
  };
}

export interface Recording {
  /** Whether the trail and its flow are made when they do not exist. */
  mayBegin: boolean;
  /** What is recorded, once the trail is known. */
  resolve: (trail: TrailRecords) => Judgement & { isOverride?: true; overriddenId?: string };
  /** Whether it is for somebody else than who wrote the commit. */
  isForOthers?: boolean;
  /** What else is written in the transaction that records it. */
  afterwards?: (db: Database, place: OpenTrail, requestContext: ActContext) => Promise<void>;
}

/** Records a submission, once, with its files. */
export async function record(
  call: Submission,
  context: ServiceContext,
  { mayBegin, resolve, isForOthers = false, afterwards }: Recording,
): Promise<Recorded> {
  const { org, params, body, files, identity } = call;
  const requestContext = requestContextOf(call, context);
  const subjectIn = ({ id }: TrailRecords) => `attestation/${id}/${body.attestationName}`;
  const write = (db: Database): Promise<Recorded> =>
    once(db, {
      identity,
      subjectOf: (found) =>
        found?.trail?.attestations.some(({ name }) => name === body.attestationName)
          ? subjectIn(found.trail)
          : undefined,
      now: requestContext.now,
      lookUp: () => findPlace(db, org.id, params),
      record: async ({ found, keep }) => {
        const rules = found?.rules ?? (await rulesOf(db, org.id, "flow"));
        const place = await trailToAttest(db, { org, ...params, ...body, mayBegin, found }, requestContext);
        const { flow, trail } = place;
        const { shown, ...judgement } = resolve(trail);
        const details = { ...commonDetails(body), ...shown, ...spooledByField(requestContext) };
        const { type, isCompliant } = judgement;
        const match = templateMatch(trail, { ...body, type });
        const { gitCommitInfo: saidCommit = null, repoInfo = null, originUrl: run } = body;
        const said = { gitCommitInfo: saidCommit, repoInfo, run };
        const headers = {
          ...originHeader(requestContext, said),
          [TEMPLATE_MATCH_HEADER]: formatTemplateMatch(match),
          [COMPLIANT_HEADER]: String(isCompliant),
          [FLOW_CREATED_HEADER]: String(place.isFlowNew),
        };
        const answer = { status: 201, headers, body: "OK" } as const;
        const gitCommitInfo = jsonColumn(details["git_commit_info"]);
        const judged = { flowId: flow.id, trailId: trail.id, fingerprint: body.artifactFingerprint ?? null };
        const by = isForOthers ? requestContext.workflow?.claims : undefined;
        const authors = by && (await authorsOf(db, { ...judged, gitCommitInfo, by }));
        const recorded = addAttestation(
          db,
          { flowId: flow.id, trail },
          {
            ...judgement,
            name: body.attestationName,
            artifactFingerprint: body.artifactFingerprint ?? null,
            targetArtifacts: body.targetArtifacts ?? [],
            commitSha: body.gitCommitInfo?.sha1 ?? null,
            gitCommitInfo,
            repoInfo: body.repoInfo,
            said,
            authors,
            details: JSON.stringify(details),
            files: files.attachmentFile,
          },
          requestContext,
        );
        const [added] = await together([recorded, keep(answer, subjectIn(trail))]);
        await afterwards?.(db, place, requestContext);
        const raising = { org, deliveries: context.deliveries, now: requestContext.now };
        await raise(db, raising, rules, attested(call, context, { place, added, type, isCompliant }));
        return answer;
      },
    });
  return context.attachments.keepFor(files.attachmentFile, () => context.store.write(write));
}

/** Whether the template of a trail asks for an attestation on it, and the attestation counts there. */
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
  // `isAbout` in `compliance/evaluate.ts` says what an attestation for an artifact's name counts for.
  const elsewhere = artifacts.filter((name) => {
    const ofName = reported.filter(({ templateName }) => templateName === name);
    return ofName.length > 0 && ofName.every(({ commitSha }) => commitSha !== (gitCommitInfo?.sha1 ?? null));
  });
  return matchTemplate(template, { attestation, type, artifacts, elsewhere });
}

/** The fields of every kind that are only ever shown, with the names of the wire. */
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
  return fieldsOf(toWire(anySubmission, details));
}

function renamed(body: unknown, names: Readonly<Record<string, string>>): Record<string, unknown> {
  const fields = fieldsOf(body);
  const entries = Object.entries(names).map(([sent, shown]) => [shown, fields[sent]]);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
