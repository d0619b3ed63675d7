import type * as z from "zod/mini";
import type { Camel } from "../wire-names.ts";
import type { trailStatus } from "./trail-record.ts";

/* What a trail is asked for and what it has of it, in the order in which somebody wants to read it. */

type TrailStatus = Camel<z.infer<typeof trailStatus>>;
type SlotStatus = NonNullable<TrailStatus["attestationsStatuses"]>[number];
type ArtifactStatus = NonNullable<TrailStatus["artifactsStatuses"]>[string];

/** What became of a slot, the weightiest first. */
const SLOT_STATES = ["failing", "missing", "overridden", "passing"] as const;
export type SlotState = (typeof SLOT_STATES)[number];

/** One line of a checklist: a slot or an artifact. */
export interface ChecklistLine {
  /** As users name it: `unit-test`, `app.unit-test`, or `app` for an artifact. */
  readonly name: string;
  /** `artifact`, or the kind of attestation that is asked for or was made; `*` for any. */
  readonly type: string;
  readonly state: SlotState;
  /** Whether the template does not require it. A failure counts nevertheless. */
  readonly isUnexpected: boolean;
}

/** An attestation that is asked for or was made, by its own name. */
export interface Slot extends ChecklistLine {
  readonly isCompliant: boolean | null;
  /** The latest attestation of the name. */
  readonly attestationId: string | undefined;
  /** The one whose verdict it overrides. */
  readonly overriddenId: string | undefined;
  /** How it compares with what was proven of who made it; undefined where nothing was. */
  readonly originState: SlotStatus["originState"] | undefined;
}

/** The slots of the trail itself, or of one of its artifacts. */
export interface ChecklistPart {
  /** Absent for the trail itself. */
  readonly artifact?: {
    /** As the template calls it, or as it was reported. */
    readonly name: string;
    /** Absent when it was not reported. */
    readonly fingerprint: string | undefined;
    /** Of the artifact itself: its attestations have slots. Absent for what is only a name in their names. */
    readonly state: SlotState | undefined;
    readonly isUnexpected: boolean;
  };
  /** The weightiest first: failing, missing, overridden, passing; of each what is asked for before what is not. */
  readonly slots: readonly Slot[];
}

/** How many artifacts and attestations are asked for, how many of them are there, and how many of all fail. */
export interface ChecklistCounts {
  readonly asked: number;
  readonly present: number;
  readonly failing: number;
}

export interface Checklist {
  readonly parts: readonly ChecklistPart[];
  readonly counts: ChecklistCounts;
}

/** The checklist of a trail, from its status as `getTrail` answers it. */
export function checklistOf({ attestationsStatuses = [], artifactsStatuses = {} }: TrailStatus): Checklist {
  const artifacts = Object.entries(artifactsStatuses).map(
    ([name, artifact]): ChecklistPart => ({
      artifact: {
        name,
        fingerprint: artifact.artifactFingerprint ?? undefined,
        state: artifactStateOf(artifact),
        isUnexpected: artifact.unexpected ?? false,
      },
      slots: slotsOf(artifact.attestationsStatuses ?? []),
    }),
  );
  const own = slotsOf(attestationsStatuses);
  const parts = [...(own.length === 0 ? [] : [{ slots: own }]), ...artifacts];
  return { parts, counts: countsOf(parts.flatMap(linesOfPart)) };
}

/** The whole checklist in one list, the weightiest first. */
export function linesOf({ parts }: Pick<Checklist, "parts">): ChecklistLine[] {
  return parts.flatMap(linesOfPart).sort((one, other) => weightOf(one) - weightOf(other));
}

function linesOfPart({ artifact, slots }: ChecklistPart): ChecklistLine[] {
  if (artifact === undefined) return [...slots];
  const { name, state, isUnexpected } = artifact;
  const own = state === undefined ? [] : [{ name, type: "artifact", state, isUnexpected }];
  return [...own, ...slots.map((slot) => ({ ...slot, name: `${name}.${slot.name}` }))];
}

function artifactStateOf(artifact: ArtifactStatus): SlotState | undefined {
  const { status, artifactFingerprint, attestationsStatuses = [] } = artifact;
  if (status === "MISSING") return "missing";
  if (!artifactFingerprint) return undefined;
  // Its attestations fail in slots of their own: with none of them to blame, its reporter said so.
  const isBlamed = attestationsStatuses.some(({ isCompliant }) => isCompliant === false);
  return status === "NON-COMPLIANT" && !isBlamed ? "failing" : "passing";
}

function slotsOf(statuses: readonly SlotStatus[]): Slot[] {
  return statuses.map(slotOf).sort((one, other) => weightOf(one) - weightOf(other));
}

function slotOf(status: SlotStatus): Slot {
  const isCompliant = status.isCompliant ?? null;
  const overriddenId = status.overriddenAttestationId ?? undefined;
  return {
    name: status.attestationName,
    type: status.attestationType ?? "*",
    state: slotStateOf(status, isCompliant, overriddenId !== undefined),
    isUnexpected: status.unexpected ?? false,
    isCompliant,
    attestationId: status.attestationId ?? undefined,
    overriddenId,
    originState: status.originState ?? undefined,
  };
}

function slotStateOf({ status }: SlotStatus, isCompliant: boolean | null, isOverridden: boolean): SlotState {
  if (status === "MISSING") return "missing";
  if (isCompliant === false) return "failing";
  return isOverridden ? "overridden" : "passing";
}

function weightOf({ state, isUnexpected }: Pick<Slot, "state" | "isUnexpected">): number {
  return 2 * SLOT_STATES.indexOf(state) + Number(isUnexpected);
}

function countsOf(lines: readonly ChecklistLine[]): ChecklistCounts {
  const asked = lines.filter(({ isUnexpected }) => !isUnexpected);
  return {
    asked: asked.length,
    present: asked.filter(({ state }) => state !== "missing").length,
    failing: lines.filter(({ state }) => state === "failing").length,
  };
}

/** `7 of 9 present, 1 failing` */
export function countsText({ asked, present, failing }: ChecklistCounts): string {
  const there = asked === 0 ? "Nothing is asked for" : `${present} of ${asked} present`;
  return failing === 0 ? there : `${there}, ${failing} failing`;
}
