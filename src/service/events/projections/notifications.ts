import type { ActContext } from "../../kernel/caller.ts";
import type { Database } from "../../store/tables.ts";
import type { EventData, Projection, RecordedEvent } from "../types/event-types.ts";
import type { TrailEvaluation } from "../types/evidence.ts";
import {
  commitIn,
  commitOf,
  commitOfReport,
  flowContent,
  type NotifiedPlace,
  type PlaceInFlow,
  trailAsItIs,
} from "./flow-content.ts";
import { type FlowContent, mergedByTrail, type Occurrence, raise } from "./raise.ts";
import type { Rule } from "./rules.ts";
import { changedResult } from "./trail-results.ts";

export const notifications: Projection = {
  "trail.begun": (db, event) =>
    notify(db, event, async (place, rules) => [
      trailStarted(event, place),
      ...(await changedResult(db, place, { before: undefined, rules, now: event.by.now })),
    ]),
  "trail.updated": async (db, { subject, data, seen: { evaluation }, by }) => {
    if (evaluation === undefined) return;
    const source = { gitCommitInfo: data.git_commit_info, originUrl: data.origin_url };
    const trail = { name: subject.name, records: evaluation.after, source };
    const seen = { place: { flow: { name: data.flow }, trail }, evaluation };
    await notify(db, { seen, by }, resultBy(db, { seen, by }));
  },
  "artifact.reported": (db, event) => notify(db, event, resultBy(db, event, artifactReported)),
  "attestation.recorded": (db, event) => notify(db, event, resultBy(db, event, attested)),
  "attestation.overridden": (db, event) => notify(db, event, resultBy(db, event, attested)),
  "approval.recorded": (db, event) => notify(db, event, (place) => approved(db, event, place)),
  "api_key.expiring": (db, { seen: { content }, by }) =>
    raise(db, by, { type: "org" }, ({ org }) => [
      { trigger: "ON_EXPIRING_API_KEY", place: org.name, each: () => [content] },
    ]),
  "scim_token.expiring": (db, { seen: { content }, by }) =>
    raise(db, by, { type: "org" }, ({ org }) => [
      { trigger: "ON_EXPIRING_SCIM_TOKEN", place: org.name, each: () => [content] },
    ]),
  "admission_webhook.expiring": (db, { seen: { content }, by }) =>
    raise(db, by, { type: "org" }, ({ org }) => [
      { trigger: "ON_EXPIRING_ADMISSION_WEBHOOK", place: org.name, each: () => [content] },
    ]),
};

function notify(
  db: Database,
  { seen: { place }, by }: { seen: { place: PlaceInFlow }; by: ActContext },
  occurrences: (
    place: NotifiedPlace,
    rules: readonly Rule[],
  ) => readonly Occurrence[] | Promise<readonly Occurrence[]>,
): Promise<void> {
  return raise(db, by, { type: "flow", rules: place.rules }, (notifier, rules) =>
    occurrences({ ...notifier, ...place }, rules),
  );
}

interface EvaluatedEvent {
  readonly seen: { readonly place: PlaceInFlow; readonly evaluation: TrailEvaluation | undefined };
  readonly by: ActContext;
}

/** The event, and then the change of the trail's result by it. */
function resultBy<Event extends EvaluatedEvent>(
  db: Database,
  event: Event,
  itself?: (event: Event, place: NotifiedPlace) => Occurrence,
) {
  return async (place: NotifiedPlace, rules: readonly Rule[]) => [
    ...(itself === undefined ? [] : [itself(event, place)]),
    ...(await changedResult(db, place, {
      before: event.seen.evaluation?.before.verdict.state,
      rules,
      now: event.by.now,
    })),
  ];
}

type Trigger = Occurrence["trigger"];

function inFlow(
  trigger: Trigger,
  { flow, trail }: PlaceInFlow,
  content: () => FlowContent | Promise<FlowContent>,
): Occurrence {
  return {
    trigger,
    place: flow.name,
    merge: mergedByTrail(trail?.records.id),
    each: async () => [await content()],
  };
}

function trailStarted({ subject: { name } }: RecordedEvent<"trail.begun">, place: NotifiedPlace): Occurrence {
  return inFlow("ON_STARTED_TRAIL", place, () =>
    flowContent(place, {
      description: `Trail '${name}' of flow '${place.flow.name}' began.`,
    }),
  );
}

function artifactReported(
  { subject, data }: RecordedEvent<"artifact.reported">,
  place: NotifiedPlace,
): Occurrence {
  const { flow, trail } = place;
  const { id, name: filename } = subject;
  const { fingerprint, git_commit_info, commit_sha, commit_url, build_url } = data;
  return inFlow("ON_ATTESTED_PROVENANCE", place, () => {
    const to = trail ? `trail '${trail.name}' of flow '${flow.name}'` : `flow '${flow.name}'`;
    const info = git_commit_info === null ? undefined : commitIn(git_commit_info);
    const commit = info ?? (commit_sha === null ? undefined : { sha1: commit_sha, url: null });
    return flowContent(place, {
      description: `Artifact '${filename}' was reported to ${to}.`,
      commit: commit && commitOf({ ...commit, url: commit.url || commit_url }),
      runUrl: build_url,
      artifact: artifactIn(place, { id, fingerprint, filename }),
    });
  });
}

function attested(
  { subject: { id, name }, data }: RecordedEvent<"attestation.recorded" | "attestation.overridden">,
  place: NotifiedPlace,
): Occurrence {
  const { org, links, flow, trail } = place;
  const { artifact, type, is_compliant, git_commit_info, origin_url } = data;
  return inFlow("ON_ATTESTATION", place, () => {
    const trailName = trail?.name ?? "";
    const verdict = is_compliant ? "compliant" : "non-compliant";
    const of = artifact ? `artifact '${artifact.filename}' in trail '${trailName}'` : `trail '${trailName}'`;
    return flowContent(place, {
      description: `'${name}' of ${of} of flow '${flow.name}' was attested as ${verdict}.`,
      commit: git_commit_info === null ? undefined : commitOf(commitIn(git_commit_info)),
      runUrl: origin_url,
      ...(artifact && { artifact: artifactIn(place, artifact) }),
      attestation: {
        attestation_id: id,
        name,
        type,
        is_compliant,
        html_url: links.attestation(org.name, flow.name, trailName, id),
      },
    });
  });
}

function artifactIn(
  { org, links, flow }: NotifiedPlace,
  { id, fingerprint, filename: name }: { id: string; fingerprint: string; filename: string },
) {
  return { name, fingerprint, html_url: links.artifact(org.name, flow.name, fingerprint, id) };
}

function approved(
  db: Database,
  { data, trailId }: RecordedEvent<"approval.recorded">,
  place: NotifiedPlace,
): Occurrence[] {
  const { artifact_name: artifact, number, state } = data;
  const flowName = place.flow.name;
  const recorded = `Approval ${number} of artifact '${artifact}' was recorded in flow '${flowName}' as ${state}.`;
  const released = `Artifact '${artifact}' may be released, by approval ${number} of flow '${flowName}'.`;
  const needed = `Artifact '${artifact}' of flow '${flowName}' needs approval ${number}.`;
  const occurrence = (trigger: Trigger, description: string) => ({
    ...inFlow(trigger, place, () => approvalContent(db, { place, data, description })),
    merge: mergedByTrail(trailId),
  });
  return [
    occurrence("ON_APPROVAL", recorded),
    ...(state === "PENDING" ? [occurrence("ON_APPROVAL_NEEDED", needed)] : []),
    ...(state === "APPROVED" ? [occurrence("ON_RELEASE", released)] : []),
  ];
}

interface Approved {
  readonly place: NotifiedPlace;
  readonly data: EventData<"approval.recorded">;
  readonly description: string;
}

async function approvalContent(db: Database, { place, data, description }: Approved): Promise<FlowContent> {
  const { artifact_fingerprint: fingerprint, artifact_name: filename, number, state } = data;
  const report = await db
    .selectFrom("artifacts")
    .select(["id", "trail_id", "commit_sha", "commit_url", "build_url", "details"])
    .where("flow_id", "=", data.flow_id)
    .where("fingerprint", "=", fingerprint)
    .orderBy("sequence", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  const trail = report.trail_id === null ? undefined : await trailAsItIs(db, report.trail_id);
  return flowContent(
    { ...place, trail },
    {
      description,
      commit: commitOfReport(report),
      runUrl: report.build_url,
      artifact: artifactIn(place, { id: report.id, fingerprint, filename }),
      approval: { number, state },
    },
  );
}
