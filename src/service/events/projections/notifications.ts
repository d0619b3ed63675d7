import type { Database } from "../../store/tables.ts";
import type { EventData, Projection, RecordedEvent } from "../types/event-types.ts";
import type { ToldPlace } from "../types/evidence.ts";
import {
  commitIn,
  commitOf,
  commitOfReport,
  flowContent,
  type PlaceInFlow,
  trailAsItIs,
} from "./flow-content.ts";
import { type FlowContent, type Happening, raise, type Telling } from "./raise.ts";

export const notifications: Projection = {
  "trail.begun": (db, event) => tell(db, event, [trailStarted(event)]),
  "artifact.reported": (db, event) => tell(db, event, [artifactReported(event)]),
  "attestation.recorded": (db, event) => tell(db, event, [attested(event)]),
  "attestation.overridden": (db, event) => tell(db, event, [attested(event)]),
  "approval.recorded": (db, event) => tell(db, event, approved(db, event)),
  "api_key.expiring": (db, event) => tell(db, event, [expiring(event)]),
};

export function tell(
  db: Database,
  { seen, by }: { seen: { place: Telling }; by: { now: number } },
  happenings: readonly Happening[],
): Promise<void> {
  const { rules, ...telling } = seen.place;
  return raise(db, { ...telling, now: by.now }, rules, happenings);
}

function expiring({ seen: { place, content } }: RecordedEvent<"api_key.expiring">): Happening {
  return { trigger: "ON_EXPIRING_API_KEY", place: place.org.name, each: () => [content] };
}

type Trigger = Happening["trigger"];

function inFlow(
  trigger: Trigger,
  { flowName }: Pick<PlaceInFlow, "flowName">,
  content: () => FlowContent | Promise<FlowContent>,
): Happening {
  return { trigger, place: flowName, each: async () => [await content()] };
}

function trailStarted({ subject: { name }, seen: { place } }: RecordedEvent<"trail.begun">): Happening {
  const { flowName } = place;
  return inFlow("ON_STARTED_TRAIL", place, () =>
    flowContent(place, { description: `${stateIn(place)}: trail '${name}' of flow '${flowName}' began.` }),
  );
}

function stateIn({ trail }: ToldPlace): string {
  return trail?.records.verdict.state ?? "REPORTED";
}

function artifactReported({ subject, data, seen: { place } }: RecordedEvent<"artifact.reported">): Happening {
  const { flowName, trail } = place;
  const { id, name: filename } = subject;
  const { fingerprint, git_commit_info, commit_sha, commit_url, build_url } = data;
  return inFlow("ON_ATTESTED_PROVENANCE", place, () => {
    const to = trail ? `trail '${trail.name}' of flow '${flowName}'` : `flow '${flowName}'`;
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

function attested({
  subject: { id, name },
  data,
  seen: { place },
}: RecordedEvent<"attestation.recorded" | "attestation.overridden">): Happening {
  const { org, links, flowName, trail } = place;
  const { artifact, type, is_compliant, git_commit_info, origin_url } = data;
  return inFlow("ON_ATTESTATION", place, () => {
    const trailName = trail?.name ?? "";
    const verdict = is_compliant ? "compliant" : "non-compliant";
    const of = artifact ? `artifact '${artifact.filename}' in trail '${trailName}'` : `trail '${trailName}'`;
    return flowContent(place, {
      description: `${stateIn(place)}: '${name}' of ${of} of flow '${flowName}' was attested as ${verdict}.`,
      commit: git_commit_info === null ? undefined : commitOf(commitIn(git_commit_info)),
      runUrl: origin_url,
      ...(artifact && { artifact: artifactIn(place, artifact) }),
      attestation: {
        attestation_id: id,
        name,
        type,
        is_compliant,
        html_url: links.attestation(org.name, flowName, trailName, id),
      },
    });
  });
}

function artifactIn(
  { org, links, flowName }: Pick<PlaceInFlow, "org" | "links" | "flowName">,
  { id, fingerprint, filename: name }: { id: string; fingerprint: string; filename: string },
) {
  return { name, fingerprint, html_url: links.artifact(org.name, flowName, fingerprint, id) };
}

function approved(db: Database, { data, seen: { place } }: RecordedEvent<"approval.recorded">): Happening[] {
  const { artifact_name: artifact, number, state } = data;
  const { flowName } = place;
  const recorded = `${state}: approval ${number} of artifact '${artifact}' was recorded in flow '${flowName}'.`;
  const released = `${state}: artifact '${artifact}' may be released, by approval ${number} of flow '${flowName}'.`;
  const happening = (trigger: Trigger, description: string) =>
    inFlow(trigger, place, () => approvalContent(db, { place, data, description }));
  return [
    happening("ON_APPROVAL", recorded),
    ...(state === "APPROVED" ? [happening("ON_RELEASE", released)] : []),
  ];
}

interface Approved {
  readonly place: Omit<PlaceInFlow, "trail">;
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
