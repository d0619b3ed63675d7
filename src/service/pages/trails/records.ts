import type { Checklist, ChecklistPart, Slot } from "../../../api/resources/checklist.ts";
import { fieldOf, numberIn, type TrailEvent, textIn } from "./event-fields.ts";

/** An attestation as the events of a trail tell of it. */
interface Recorded {
  readonly id: string;
  readonly name: string;
  readonly isCompliant: boolean;
  readonly isOverride: boolean;
  /** Unix seconds. */
  readonly at: number;
}

/** An attestation that was made for an artifact by its name, before the artifact was reported. */
export interface Claim extends Recorded {
  /** The artifact by its name in the template. */
  readonly artifact: string;
  /** The commit that tells which build of it is meant. */
  readonly commit: string;
}

/** The attestations of a trail, by what they are about. */
export interface Records {
  /** All that were made for a slot, the latest first. */
  of(part: ChecklistPart, slot: Slot): readonly Recorded[];
  /** Those that wait for their artifact. */
  readonly claims: readonly Claim[];
}

/** Reads from the events of a trail which attestations were made for what. */
export function recordsIn(events: readonly TrailEvent[], { parts }: Pick<Checklist, "parts">): Records {
  const builds = events.flatMap((event) => {
    const fingerprint = textIn(event, "artifact_fingerprint");
    const name = textIn(event, "template_reference_name");
    const commit = textIn(event, "git_commit");
    return event["type"] === "artifact_creation_reported" ? [{ fingerprint, name, commit }] : [];
  });
  const byKey = new Map<string, Recorded[]>();
  const claims: Claim[] = [];
  for (const event of events) {
    const record = recordIn(event);
    if (record === undefined) continue;
    const name = textIn(event, "target_artifact");
    const fingerprint = textIn(event, "artifact_fingerprint");
    const commit = textIn(fieldOf(event, "git_commit_info"), "sha1");
    const isClaim = fingerprint === "" && name !== "";
    const built = isClaim ? builds.filter((each) => each.name === name && each.commit === commit) : [];
    if (isClaim && built.length === 0) claims.push({ ...record, artifact: name, commit });
    const subjects = isClaim ? [name, ...built.map((each) => each.fingerprint)] : [fingerprint];
    for (const subject of new Set(subjects)) {
      const key = keyOf(subject, record.name);
      const made = byKey.get(key);
      if (made === undefined) byKey.set(key, [record]);
      else made.push(record);
    }
  }
  const now = new Set(parts.flatMap(({ slots }) => slots.flatMap(({ attestationId: id }) => id ?? [])));
  return {
    claims,
    of({ artifact }, { name, attestationId }) {
      const subject = artifact === undefined ? "" : (artifact.fingerprint ?? artifact.name);
      const all = byKey.get(keyOf(subject, name)) ?? [];
      // What another slot of the name holds is none of this one.
      return all.filter(({ id }) => id === attestationId || !now.has(id)).reverse();
    },
  };
}

function keyOf(subject: string, name: string): string {
  return JSON.stringify([subject, name]);
}

function recordIn(event: TrailEvent): Recorded | undefined {
  const [id, name] = [textIn(event, "attestation_id"), textIn(event, "template_reference_name")];
  if (id === "") return undefined;
  const isOverride = event["attestation_type"] === "override";
  return {
    id,
    name,
    isCompliant: event["is_compliant"] === true,
    isOverride,
    at: numberIn(event, "timestamp") ?? 0,
  };
}
