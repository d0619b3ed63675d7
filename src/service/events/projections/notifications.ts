import type { ActContext } from "../../kernel/caller.ts";
import type { Database } from "../../store/tables.ts";
import type { EventData, Projection, RecordedEvent } from "../types/event-types.ts";
import {
  commitIn,
  commitOf,
  commitOfReport,
  flowContent,
  type NotifiedPlace,
  type PlaceInFlow,
  trailAsItIs,
} from "./flow-content.ts";
import { type FlowContent, type Occurrence, raise } from "./raise.ts";

export const notifications: Projection = {
  "trail.begun": (db, event) => notify(db, event, (place) => [trailStarted(event, place)]),
  "artifact.reported": (db, event) => notify(db, event, (place) => [artifactReported(event, place)]),
  "attestation.recorded": (db, event) => notify(db, event, (place) => [attested(event, place)]),
  "attestation.overridden": (db, event) => notify(db, event, (place) => [attested(event, place)]),
  "approval.recorded": (db, event) => notify(db, event, (place) => approved(db, event, place)),
  "api_key.expiring": (db, { seen: { content }, by }) =>
    raise(db, by, { type: "org" }, ({ org }) => [
      { trigger: "ON_EXPIRING_API_KEY", place: org.name, each: () => [content] },
    ]),
};

function notify(
  db: Database,
  { seen: { place }, by }: { seen: { place: PlaceInFlow }; by: ActContext },
  occurrences: (place: NotifiedPlace) => readonly Occurrence[],
): Promise<void> {
  return raise(db, by, { type: "flow", rules: place.rules }, (notifier) =>
    occurrences({ ...notifier, ...place }),
  );
}

type Trigger = Occurrence["trigger"];

function inFlow(
  trigger: Trigger,
  { flow }: PlaceInFlow,
  content: () => FlowContent | Promise<FlowContent>,
): Occurrence {
  return { trigger, place: flow.name, each: async () => [await content()] };
}

function trailStarted({ subject: { name } }: RecordedEvent<"trail.begun">, place: NotifiedPlace): Occurrence {
  return inFlow("ON_STARTED_TRAIL", place, () =>
    flowContent(place, {
      description: `${stateIn(place)}: trail '${name}' of flow '${place.flow.name}' began.`,
    }),
  );
}

function stateIn({ trail }: PlaceInFlow): string {
  return trail?.records.verdict.state ?? "REPORTED";
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
      description: `${stateIn(place)}: artifact '${filename}' was reported to ${to}.`,
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
      description: `${stateIn(place)}: '${name}' of ${of} of flow '${flow.name}' was attested as ${verdict}.`,
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
  { data }: RecordedEvent<"approval.recorded">,
  place: NotifiedPlace,
): Occurrence[] {
  const { artifact_name: artifact, number, state } = data;
  const flowName = place.flow.name;
  const recorded = `${state}: approval ${number} of artifact '${artifact}' was recorded in flow '${flowName}'.`;
  const released = `${state}: artifact '${artifact}' may be released, by approval ${number} of flow '${flowName}'.`;
  const occurrence = (trigger: Trigger, description: string) =>
    inFlow(trigger, place, () => approvalContent(db, { place, data, description }));
  return [
    occurrence("ON_APPROVAL", recorded),
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
