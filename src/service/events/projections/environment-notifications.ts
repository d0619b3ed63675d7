import { verdictOfReport } from "../../evidence/compliance/facts.ts";
import { latestReports } from "../../evidence/compliance/latest-reports.ts";
import type { NamedArtifact } from "../../kernel/artifact-key.ts";
import type { ActContext, Notifier } from "../../kernel/caller.ts";
import { inSlices } from "../../kernel/slices.ts";
import { knownFingerprints } from "../../runtime/running/artifact.ts";
import { storedReasons, turnOf, weightiestReasons } from "../../runtime/running/compliance.ts";
import type { Database } from "../../store/tables.ts";
import type { Projection, RecordedEvent } from "../types/event-types.ts";
import type { AllowedIn, RuntimeSeen } from "../types/runtime.ts";
import { commitOfReport } from "./flow-content.ts";
import { type EnvironmentContent, type Occurrence, raise } from "./raise.ts";

type EnvironmentOccurrence = Occurrence<EnvironmentContent>;

export const environmentNotifications: Projection = {
  "snapshot.taken": (db, event) => notify(db, event, (place) => snapshotTaken(db, event, place)),
  "artifact.allowed": async (db, { subject, seen, by }) => {
    if (seen) await notify(db, { seen, by }, (place) => [artifactAllowed(db, subject, seen.snapshot, place)]);
  },
  "environment.turned": (db, event) => notify(db, event, (place) => [membersTurned(db, event, place)]),
};

type SeenEnvironment = Pick<RuntimeSeen["snapshot.taken"], "environment">;
type Place = SeenEnvironment & Notifier;

function notify(
  db: Database,
  { seen: { environment }, by }: { seen: SeenEnvironment; by: ActContext },
  occurrences: (place: Place) => readonly EnvironmentOccurrence[] | Promise<readonly EnvironmentOccurrence[]>,
): Promise<void> {
  return raise(db, by, { type: "env" }, (notifier) => occurrences({ ...notifier, environment }));
}

/** One message about everything that a snapshot changes. */
function mergedBySnapshot({ id }: SeenEnvironment["environment"], number: number) {
  return { key: `${id}/${number}`, seconds: 0 };
}

interface SnapshotState {
  number: number;
  compliant: boolean | null;
  reasons: readonly string[];
}

async function snapshotTaken(
  db: Database,
  event: RecordedEvent<"snapshot.taken">,
  place: Place,
): Promise<readonly EnvironmentOccurrence[]> {
  const { artifacts, opened, exited } = event.seen;
  const { number, is_compliant: compliant } = event.data;
  const { name } = place.environment;
  const state = { number, compliant, reasons: compliant === false ? weightiestReasons(artifacts) : [] };
  const started = opened.filter(({ before }) => before === undefined);
  const scaled = opened.filter(({ change }) => change === "scaled");
  const merge = mergedBySnapshot(place.environment, number);
  const of = (trigger: Occurrence["trigger"], happened: () => ArtifactChange[], ofAll: string) => ({
    trigger,
    place: name,
    merge,
    each: () => artifactContents(db, place, state, happened()),
    summary: (contents: readonly EnvironmentContent[]) => summaryOf(contents, place, state, ofAll),
  });
  const to = (what: string) => (artifact: NamedArtifact) => ({ artifact, what });
  return [
    of(
      "ON_STARTED_ARTIFACT",
      () => started.map(({ artifact }) => artifact).map(to("started to run in")),
      "started to run in",
    ),
    of("ON_EXITED_ARTIFACT", () => exited.map(to("no longer runs in")), "no longer run in"),
    of(
      "ON_SCALED_ARTIFACT",
      () =>
        scaled.map(({ artifact, before }) => {
          const now = instances(artifact.instances.length);
          return { artifact, what: `runs with ${now} instead of ${before?.instance_count ?? 0} in` };
        }),
      "run with another number of instances in",
    ),
    ...(await turns(db, event, state, place)),
  ];
}

function artifactAllowed(
  db: Database,
  { id: fingerprint, name }: RecordedEvent<"artifact.allowed">["subject"],
  snapshot: AllowedIn["snapshot"],
  place: Place,
): EnvironmentOccurrence {
  const artifact = { name, fingerprint };
  return {
    trigger: "ON_ALLOWED_ARTIFACT",
    place: place.environment.name,
    each: async () => {
      const state = snapshot && {
        ...snapshot,
        reasons: snapshot.compliant === false ? await storedReasons(db, place.environment.id) : [],
      };
      return artifactContents(db, place, state, [{ artifact, what: "was allowed to run in" }]);
    },
  };
}

const MAX_REASONS = 5;

function membersTurned(
  db: Database,
  { data: { is_compliant, joined }, seen: { environment, failing } }: RecordedEvent<"environment.turned">,
  place: Place,
): EnvironmentOccurrence {
  const { name } = environment;
  const { trigger, word } = turnTo(is_compliant);
  const who = joined.map((member) => `'${member}'`).join(", ");
  const why = joined.length === 0 ? "its members changed" : `${who} joined it`;
  return {
    trigger,
    place: name,
    each: async () => {
      const reasons: string[] = [];
      for (const id of failing.slice(0, MAX_REASONS)) reasons.push(...(await storedReasons(db, id)));
      const description = `Logical environment '${name}' became ${word} because ${why}.`;
      const html_url = place.links.environment(place.org.name, name);
      return [{ environment: name, html_url, description, reasons: reasons.slice(0, MAX_REASONS) }];
    },
  };
}

interface ArtifactChange {
  artifact: NamedArtifact;
  /** Text between its name and that of the environment. */
  what: string;
}

async function artifactContents(
  db: Database,
  place: Place,
  state: SnapshotState | undefined,
  happened: readonly ArtifactChange[],
): Promise<EnvironmentContent[]> {
  const fingerprints = knownFingerprints(happened.map(({ artifact }) => artifact));
  const provenances = await provenanceOf(db, place, fingerprints);
  const common = commonContent(place, state);
  const { name } = place.environment;
  return inSlices(happened, (slice) =>
    slice.map(({ artifact, what }) => {
      const { provenance, commit } = provenances.get(artifact.fingerprint) ?? {};
      return {
        ...common,
        description: `Artifact '${artifact.name}' ${what} environment '${name}'.`,
        artifact: {
          name: artifact.name,
          fingerprint: artifact.fingerprint,
          ...(provenance && { provenance }),
        },
        ...(commit && { commit }),
        ...(provenance?.build_url ? { run_url: provenance.build_url } : {}),
      };
    }),
  );
}

/** Artifacts shown; the link leads to the rest. */
const MAX_SHOWN = 20;

function summaryOf(
  contents: readonly EnvironmentContent[],
  place: Place,
  state: SnapshotState,
  what: string,
): EnvironmentContent {
  const first = contents.slice(0, MAX_SHOWN).flatMap(({ artifact }) => artifact ?? []);
  const count = contents.length;
  return {
    ...commonContent(place, state),
    description: `${count} artifacts ${what} environment '${place.environment.name}'.`,
    artifacts: { count, first },
  };
}

function commonContent({ org, links, environment: { name } }: Place, state: SnapshotState | undefined) {
  return {
    environment: name,
    html_url: links.environment(org.name, name),
    ...(state && {
      snapshot: {
        index: String(state.number),
        status: statusOf(state.compliant),
        html_url: links.snapshot(org.name, name, state.number),
        api_url: links.apiSnapshot(org.name, name, state.number),
      },
    }),
    reasons: [...(state?.reasons ?? [])],
  };
}

function statusOf(compliant: boolean | null): NonNullable<EnvironmentContent["snapshot"]>["status"] {
  if (compliant === null) return "unknown";
  return compliant ? "compliant" : "non-compliant";
}

function instances(count: number): string {
  return count === 1 ? "1 instance" : `${count} instances`;
}

function turnTo(compliant: boolean) {
  return compliant
    ? ({ trigger: "ON_COMPLIANT_ENV", word: "compliant" } as const)
    : ({ trigger: "ON_NON_COMPLIANT_ENV", word: "non-compliant" } as const);
}

/** Notifies about the environment, then about the logical environments that change with it. */
async function turns(
  db: Database,
  { data, seen: { environment, opened } }: RecordedEvent<"snapshot.taken">,
  state: SnapshotState,
  place: Place,
): Promise<EnvironmentOccurrence[]> {
  const compliant = turnOf(data.was_compliant, data.is_compliant);
  if (compliant === undefined) return [];
  const turned = turnTo(compliant);
  const merge = mergedBySnapshot(environment, state.number);
  const culprits = compliant
    ? []
    : opened.filter(({ artifact, before }) => artifact.compliant === false && before?.compliant !== 0);
  // With several culprits, none is named.
  const [culprit] = culprits.length === 1 ? culprits : [];
  const description = `Environment '${environment.name}' became ${turned.word}, with snapshot ${state.number}.`;
  const itself: EnvironmentOccurrence = {
    trigger: turned.trigger,
    place: environment.name,
    merge,
    each: async () => {
      const did = culprit ? [{ artifact: culprit.artifact, what: "caused this in" }] : [];
      const [ofCulprit] = await artifactContents(db, place, state, did);
      return [{ ...(ofCulprit ?? commonContent(place, state)), description }];
    },
  };
  const logical = await logicalEnvironments(db, environment.id, compliant);
  return [
    itself,
    ...logical.map((name): EnvironmentOccurrence => {
      const { reasons } = state;
      const description = `Logical environment '${name}' became ${turned.word}, with snapshot ${state.number} of '${environment.name}'.`;
      const html_url = place.links.environment(place.org.name, name);
      const content = { environment: name, html_url, description, reasons: [...reasons] };
      return { trigger: turned.trigger, place: name, merge, each: () => [content] };
    }),
  ];
}

/** The provenance of artifacts by fingerprint; the latest report wins among several flows. */
async function provenanceOf(db: Database, { org, links }: Place, fingerprints: readonly string[]) {
  const rows = await inSlices(fingerprints, (slice) =>
    latestReports(db, org.id, slice)
      .innerJoin("flows", "flows.id", "artifacts.flow_id")
      .select(["artifacts.sequence", "artifacts.id", "artifacts.fingerprint", "artifacts.filename"])
      .select(["artifacts.template_name", "artifacts.commit_sha", "artifacts.is_compliant"])
      .select(["artifacts.compliance_state", "artifacts.compliance_reason", "artifacts.details"])
      .select(["artifacts.commit_url", "artifacts.build_url", "flows.name as flow", "flows.template"])
      .execute(),
  );
  rows.sort((a, b) => a.sequence - b.sequence);
  return new Map(
    rows.map((row) => {
      const { flow, fingerprint, commit_sha, commit_url, build_url } = row;
      const isCompliant = verdictOfReport(row, row.template).state === "COMPLIANT";
      const provenance = {
        flow,
        status: isCompliant ? ("compliant" as const) : ("non-compliant" as const),
        commit: commit_sha,
        commit_url: commit_url || null,
        html_url: links.artifact(org.name, flow, fingerprint, row.id),
        api_url: links.apiArtifact(org.name, flow, fingerprint),
        build_url: build_url || null,
      };
      return [fingerprint, { provenance, commit: commitOfReport(row) }] as const;
    }),
  );
}

/** Names of the logical environments that change with this member, given the state of the others. */
async function logicalEnvironments(db: Database, memberId: string, compliant: boolean): Promise<string[]> {
  const rows = await db
    .selectFrom("environment_members as part")
    .innerJoin("environments as logical", "logical.id", "part.environment_id")
    .innerJoin("environment_members as other", "other.environment_id", "logical.id")
    .innerJoin("environments as member", "member.id", "other.member_id")
    .leftJoin("snapshots", "snapshots.id", "member.latest_snapshot_id")
    .select(["logical.name", "member.id", "snapshots.state"])
    .where("part.member_id", "=", memberId)
    .where("logical.archived_at", "is", null)
    .where("member.archived_at", "is", null)
    .orderBy("logical.name")
    .execute();
  const allows = ({ id, state }: (typeof rows)[number]) =>
    id === memberId || (compliant ? state === 1 : state !== 0);
  return [...Map.groupBy(rows, ({ name }) => name)].flatMap(([name, members]) =>
    members.every(allows) ? name : [],
  );
}
