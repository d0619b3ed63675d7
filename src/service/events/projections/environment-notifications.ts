import { provenanceOf } from "../../artifacts/provenance.ts";
import { logicalEnvironments, turnOf } from "../../environments/snapshots/turn.ts";
import { keptReasons, weightiestReasons } from "../../environments/snapshots/weightiest-reasons.ts";
import type { NamedArtifact } from "../../kernel/artifact-key.ts";
import type { Links } from "../../kernel/links.ts";
import type { Organization } from "../../kernel/organization.ts";
import { inSlices } from "../../kernel/slices.ts";
import { knownFingerprints } from "../../runtime/running/artifact.ts";
import type { JudgedArtifact, Opening, StateRow } from "../../runtime/running/intervals.ts";
import type { Database, Tables } from "../../store/tables.ts";
import type { EnvironmentContent, Happening } from "./raise.ts";

type EnvironmentHappening = Happening<EnvironmentContent>;

/** Where something happened. */
interface Place {
  org: Organization;
  links: Links;
  environment: Pick<Tables["environments"], "id" | "name">;
}

/** A snapshot that was just taken, and what it changed. */
interface Taken {
  /** Whether all was compliant in the snapshot before, if there was one. */
  before: boolean | null | undefined;
  number: number;
  compliant: boolean | null;
  /** All that run. */
  artifacts: readonly JudgedArtifact[];
  opened: readonly Opening[];
  /** What runs no longer. */
  exited: readonly StateRow[];
}

/** The environment as an event left it. */
interface Left {
  number: number;
  compliant: boolean | null;
  reasons: readonly string[];
}

/** What happens with a snapshot, to what runs and to the environment as a whole. */
export async function snapshotTaken(
  db: Database,
  place: Place,
  taken: Taken,
): Promise<readonly EnvironmentHappening[]> {
  const { number, compliant, opened, exited } = taken;
  const { name } = place.environment;
  const left = { number, compliant, reasons: compliant === false ? weightiestReasons(taken.artifacts) : [] };
  const started = opened.filter(({ before }) => before === undefined);
  const scaled = opened.filter(({ change }) => change === "scaled");
  const of = (trigger: Happening["trigger"], happened: () => Happened[], ofAll: string) => ({
    trigger,
    place: name,
    each: () => artifactContents(db, place, left, happened()),
    summary: (contents: readonly EnvironmentContent[]) => summaryOf(contents, place, left, ofAll),
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
    ...(await turns(db, place, taken, left)),
  ];
}

/** That an artifact may run from now on, whatever policies say. */
export function artifactAllowed(
  db: Database,
  place: Place,
  artifact: NamedArtifact,
  snapshot: Omit<Left, "reasons"> | undefined,
): EnvironmentHappening {
  return {
    trigger: "ON_ALLOWED_ARTIFACT",
    place: place.environment.name,
    each: async () => {
      const left = snapshot && {
        ...snapshot,
        reasons: snapshot.compliant === false ? await keptReasons(db, place.environment.id) : [],
      };
      return artifactContents(db, place, left, [{ artifact, what: "was allowed to run in" }]);
    },
  };
}

interface Happened {
  artifact: NamedArtifact;
  /** In the words between its name and that of the environment. */
  what: string;
}

async function artifactContents(
  db: Database,
  place: Place,
  left: Left | undefined,
  happened: readonly Happened[],
): Promise<EnvironmentContent[]> {
  const fingerprints = knownFingerprints(happened.map(({ artifact }) => artifact));
  const provenances = await provenanceOf(db, place, fingerprints);
  const common = commonContent(place, left);
  const { name } = place.environment;
  return inSlices(happened, (slice) =>
    slice.map(({ artifact, what }) => {
      const { provenance, commit } = provenances.get(artifact.fingerprint) ?? {};
      return {
        ...common,
        description: `${wordOf(left)}: artifact '${artifact.name}' ${what} environment '${name}'.`,
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

/** Of many artifacts, these are shown; the link leads to the others. */
const MOST_SHOWN = 20;

function summaryOf(
  contents: readonly EnvironmentContent[],
  place: Place,
  left: Left,
  what: string,
): EnvironmentContent {
  const first = contents.slice(0, MOST_SHOWN).flatMap(({ artifact }) => artifact ?? []);
  const count = contents.length;
  return {
    ...commonContent(place, left),
    description: `${wordOf(left)}: ${count} artifacts ${what} environment '${place.environment.name}'.`,
    artifacts: { count, first },
  };
}

function commonContent({ org, links, environment: { name } }: Place, left: Left | undefined) {
  return {
    environment: name,
    ...(left && {
      snapshot: {
        index: String(left.number),
        status: statusOf(left.compliant),
        html_url: links.snapshot(org.name, name, left.number),
        api_url: links.apiSnapshot(org.name, name, left.number),
      },
    }),
    reasons: [...(left?.reasons ?? [])],
  };
}

function statusOf(compliant: boolean | null): NonNullable<EnvironmentContent["snapshot"]>["status"] {
  if (compliant === null) return "unknown";
  return compliant ? "compliant" : "non-compliant";
}

function wordOf(left: Pick<Left, "compliant"> | undefined): string {
  return statusOf(left?.compliant ?? null).toUpperCase();
}

function instances(count: number): string {
  return count === 1 ? "1 instance" : `${count} instances`;
}

/** That the environment turned, and the logical environments that turn with it. */
async function turns(db: Database, place: Place, taken: Taken, left: Left): Promise<EnvironmentHappening[]> {
  const turned = turnOf(taken.before, taken.compliant);
  if (turned === undefined) return [];
  const { environment } = place;
  const culprits = turned.isBad
    ? taken.opened.filter(({ artifact, before }) => artifact.compliant === false && before?.compliant !== 0)
    : [];
  // Of several, none is the one that did it.
  const [culprit] = culprits.length === 1 ? culprits : [];
  const description = `${wordOf(left)}: environment '${environment.name}' became ${turned.word}, with snapshot ${left.number}.`;
  const itself: EnvironmentHappening = {
    trigger: turned.trigger,
    place: environment.name,
    each: async () => {
      const did = culprit ? [{ artifact: culprit.artifact, what: "made it so in" }] : [];
      const [ofCulprit] = await artifactContents(db, place, left, did);
      return [{ ...(ofCulprit ?? commonContent(place, left)), description }];
    },
  };
  const logical = await logicalEnvironments(db, environment.id, turned);
  return [
    itself,
    ...logical.map((name): EnvironmentHappening => {
      const { reasons } = left;
      const of = `logical environment '${name}' became ${turned.word}, with snapshot ${left.number} of '${environment.name}'`;
      const content = { environment: name, description: `${wordOf(left)}: ${of}.`, reasons: [...reasons] };
      return { trigger: turned.trigger, place: name, each: () => [content] };
    }),
  ];
}
