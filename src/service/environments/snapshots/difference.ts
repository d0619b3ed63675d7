import type { Origin } from "../../evidence/compliance/latest-reports.ts";
import { artifactKey } from "../../kernel/artifact-key.ts";
import { inSlices } from "../../kernel/slices.ts";
import { instanceName, type RunningArtifact } from "../../runtime/running/artifact.ts";
import { changeOf } from "../../runtime/running/changes.ts";
import {
  type Closing,
  flagOf,
  type JudgedArtifact,
  type Opening,
  type StateRow,
} from "../../runtime/running/intervals.ts";

/** What has to be written when what ran is no longer what runs. What stayed the same is in neither list. */
interface Difference {
  opened: Opening[];
  closed: Closing[];
  /** Of what ran before, the intervals whose artifacts run on. */
  runningOn: ReadonlySet<number>;
}

/**
 * @param before what ran, by `artifactKey`
 * @param origins where artifacts come from, by fingerprint
 */
export async function differenceBetween(
  before: ReadonlyMap<string, StateRow>,
  after: readonly JudgedArtifact[],
  origins: ReadonlyMap<string, readonly Origin[]>,
): Promise<Difference> {
  const runningOn = new Set<number>();
  const opened = await inSlices(after, (slice) =>
    slice.flatMap((artifact): Opening[] => {
      const row = before.get(artifactKey(artifact));
      if (row) runningOn.add(row.id);
      const text = originsText(origins.get(artifact.fingerprint));
      if (row && isUnchanged(row, artifact, text)) return [];
      const change = changeOf(row && rowState(row), stateNow(artifact, text));
      return [{ artifact, before: row, change, origins: text }];
    }),
  );
  const replaced = opened.flatMap((opening) =>
    opening.before ? [{ id: opening.before.id, ended: false }] : [],
  );
  const gone = [...before.values()].flatMap(({ id }) => (runningOn.has(id) ? [] : [{ id, ended: true }]));
  return { opened, closed: [...replaced, ...gone], runningOn };
}

function isUnchanged(row: StateRow, now: JudgedArtifact, origins: string): boolean {
  return (
    row.origins === origins &&
    row.compliant === flagOf(now.compliant) &&
    row.allowed === Number(now.allowed) &&
    row.instances === JSON.stringify(now.instances) &&
    row.decisions === JSON.stringify(now.policyDecisions)
  );
}

function rowState(row: StateRow) {
  const instances: RunningArtifact["instances"] = JSON.parse(row.instances);
  return {
    instances: instances.map(instanceName),
    compliant: row.compliant === null ? null : row.compliant === 1,
    origins: row.origins,
  };
}

function stateNow({ instances, compliant }: JudgedArtifact, origins: string) {
  return { instances: instances.map(instanceName), compliant, origins };
}

/** Where an artifact comes from as a text. */
function originsText(origins: readonly Origin[] | undefined): string {
  return origins === undefined ? NO_ORIGIN : `[${origins.map(originText).sort().join()}]`;
}

/** The text of what nobody here has built. */
const NO_ORIGIN = "[]";

function originText({ flow, trail, templateName, commitSha }: Origin): string {
  return JSON.stringify([flow.id, trail?.id ?? null, templateName, commitSha]);
}

/** What one build of a flow replaces is the earlier build of the same thing: of that name in the template. */
export function placeOf({ flow, templateName }: Pick<Origin, "flow" | "templateName">): string {
  return templateName === null ? flow.id : `${flow.id} ${templateName}`;
}

/** The places of an artifact in its flows. */
export function placesOf(origins: string): string[] {
  if (origins === NO_ORIGIN) return [];
  const tuples: readonly [flowId: string, trailId: string | null, templateName: string | null][] =
    JSON.parse(origins);
  return tuples.map(([id, , templateName]) => placeOf({ flow: { id }, templateName }));
}
