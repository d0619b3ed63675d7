import { hash } from "node:crypto";
import type { StoredEvent } from "../../events/log/proofs.ts";
import type { EventData, EventType } from "../../events/types/event-types.ts";

/* Members of populations. An event alone decides, so that a reader of the evidence log finds the same. */

export interface Population {
  readonly kind: "flow" | "environment" | "control";
  /** The identifier of a control; otherwise the id, which stays when the name changes. */
  readonly id: string;
  readonly name: string;
  /** Unix seconds, inclusive. */
  readonly from: number;
  /** Unix seconds, exclusive. */
  readonly to: number;
}

export interface Member {
  readonly id: string;
  readonly name: string;
  /** Empty for a trail, or an artifact without a known one. */
  readonly fingerprint: string;
  readonly at: number;
  readonly by: string;
  /** Null for an artifact in an environment. */
  readonly trailId: string | null;
}

/** A member and the position of its event in the log. */
export type FoundMember = Member & { readonly index: number };

export interface Sample {
  readonly n: number;
  readonly seed: string;
  readonly members: readonly FoundMember[];
}

/** Types of events that may add members. */
const MEMBER_TYPES: Readonly<Record<Population["kind"], readonly EventType[]>> = {
  flow: ["trail.begun"],
  environment: ["snapshot.taken"],
  control: ["attestation.recorded", "attestation.overridden"],
};

/** Trails that began in a flow, artifacts that started in an environment, or decisions about a control. */
export function membersIn({ kind, id, from, to }: Population, event: StoredEvent): Member[] {
  const { type, at, by, subject_id, subject_name: name, trail_id: trailId } = event;
  if (at < from || at >= to || !MEMBER_TYPES[kind].some((each) => each === type)) return [];
  const member = { id: subject_id ?? "", name, fingerprint: "", at, by, trailId };
  if (kind === "flow") {
    const { flow_id }: EventData<"trail.begun"> = JSON.parse(event.data);
    return flow_id === id ? [member] : [];
  }
  if (kind === "control") {
    const { control, artifact }: EventData<"attestation.recorded"> = JSON.parse(event.data);
    return control === id ? [{ ...member, fingerprint: artifact?.fingerprint ?? "" }] : [];
  }
  const { environment_id, started }: EventData<"snapshot.taken"> = JSON.parse(event.data);
  if (environment_id !== id) return [];
  return started.map((artifact, position) => ({
    ...member,
    ...artifact,
    id: `${subject_id}.${position}`,
    trailId: null,
  }));
}

/** Describes `sampleOf` to auditors. */
export const SAMPLE_METHOD =
  "the first n members by the sha256 of the seed, a zero byte and the id, in hexadecimal";

/** The members with the lowest sha256 of seed and id, so that anyone can repeat the sample. */
export function sampleOf<Each extends Pick<Member, "id">>(
  members: readonly Each[],
  { n, seed }: { readonly n: number; readonly seed: string },
): Each[] {
  return members
    .map((member) => ({ member, rank: hash("sha256", `${seed}\0${member.id}`) }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, n)
    .map(({ member }) => member);
}
