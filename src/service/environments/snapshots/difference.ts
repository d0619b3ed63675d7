import type { Origin } from "../../artifacts/latest-reports.ts";
import { artifactKey } from "../../kernel/artifact-key.ts";
import { inSlices } from "../../kernel/slices.ts";
import { instanceName, type RunningArtifact } from "../../running/artifact.ts";
import { changeOf } from "../../running/changes.ts";
import {
  type Closing,
  flagOf,
  type JudgedArtifact,
  type Opening,
  type StateRow,
} from "../../running/intervals.ts";

/** What has to be written when what ran is no longer what runs. What stayed the same is in neither list. */
export async function differenceBetween(
  before: readonly StateRow[],
  after: readonly JudgedArtifact[],
): Promise<{ opened: Opening[]; closed: Closing[] }> {
  const rest = new Map(await inSlices(before, (slice) => slice.map((row) => [artifactKey(row), row])));
  const opened = await inSlices(after, (slice) =>
    slice.flatMap((artifact): Opening[] => {
      const key = artifactKey(artifact);
      const row = rest.get(key);
      rest.delete(key);
      if (row && isUnchanged(row, artifact)) return [];
      return [{ artifact, before: row, change: changeOf(row && rowState(row), stateNow(artifact)) }];
    }),
  );
  const replaced = opened.flatMap((opening) =>
    opening.before ? [{ id: opening.before.id, ended: false }] : [],
  );
  const gone = [...rest.values()].map(({ id }) => ({ id, ended: true }));
  return { opened, closed: [...replaced, ...gone] };
}

function isUnchanged(row: StateRow, now: JudgedArtifact): boolean {
  return (
    row.origins === now.origins &&
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

function stateNow({ instances, compliant, origins }: JudgedArtifact) {
  return { instances: instances.map(instanceName), compliant, origins };
}

/** Where artifacts come from as texts, by fingerprint. What nobody here has built is absent: its text is `[]`. */
export function originTexts(origins: readonly Origin[]): ReadonlyMap<string, string> {
  const byFingerprint = Map.groupBy(origins, ({ fingerprint }) => fingerprint);
  return new Map(
    [...byFingerprint].map(([fingerprint, found]) => [
      fingerprint,
      `[${found.map(originText).sort().join()}]`,
    ]),
  );
}

export const NO_ORIGIN = "[]";

function originText({ flow, trail, templateName, commitSha }: Origin): string {
  return JSON.stringify([flow.id, trail?.id ?? null, templateName, commitSha]);
}

/** The places of the artifact in its flows: of which flow it is a build, and by which name in the template. */
export function templatePlacesOf(origins: string): string[] {
  if (origins === NO_ORIGIN) return [];
  const tuples: readonly (readonly (string | null)[])[] = JSON.parse(origins);
  return tuples.map(([flowId, , templateName]) => JSON.stringify([flowId, templateName]));
}
