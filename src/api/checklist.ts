import type * as z from "zod/mini";
import type { trailStatus } from "./trail-record.ts";
import type { Camel } from "./wire-names.ts";

/* What a trail is asked for and what it has of it, in the order in which somebody wants to read it. */

type TrailStatus = Camel<z.infer<typeof trailStatus>>;
type SlotStatus = NonNullable<TrailStatus["attestationsStatuses"]>[number];

/** How a slot stands, the weightiest first. */
const SLOT_STATES = ["failing", "missing", "overridden", "passing"] as const;
type SlotState = (typeof SLOT_STATES)[number];

/** An attestation that is asked for or was made. */
export interface Slot {
  readonly name: string;
  /** The kind that is asked for or was made; `*` for any. */
  readonly type: string;
  readonly state: SlotState;
  /** Whether nobody asked for it. */
  readonly isUnexpected: boolean;
  readonly isCompliant: boolean | null;
  /** The latest attestation of the name. */
  readonly attestationId: string | undefined;
  /** The one whose verdict it overrides. */
  readonly overriddenId: string | undefined;
}

/** The slots of the trail itself, or of one of its artifacts. */
export interface ChecklistPart {
  /** Absent for the trail itself. */
  readonly artifact?: {
    /** As the template calls it, or as it was reported. */
    readonly name: string;
    /** Absent when it was not reported. */
    readonly fingerprint: string | undefined;
    readonly isUnexpected: boolean;
  };
  /** The weightiest first: failing, missing, overridden, passing; of each what is asked for before what is not. */
  readonly slots: readonly Slot[];
}

/** How many slots that are asked for there are, and how they stand. */
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
        isUnexpected: artifact.unexpected ?? false,
      },
      slots: slotsOf(artifact.attestationsStatuses ?? []),
    }),
  );
  const own = slotsOf(attestationsStatuses);
  const parts = [...(own.length === 0 ? [] : [{ slots: own }]), ...artifacts];
  return { parts, counts: countsOf(parts.flatMap(({ slots }) => slots)) };
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
  };
}

function slotStateOf({ status }: SlotStatus, isCompliant: boolean | null, isOverridden: boolean): SlotState {
  if (status === "MISSING") return "missing";
  if (isCompliant === false) return "failing";
  return isOverridden ? "overridden" : "passing";
}

function weightOf({ state, isUnexpected }: Slot): number {
  return 2 * SLOT_STATES.indexOf(state) + Number(isUnexpected);
}

function countsOf(slots: readonly Slot[]): ChecklistCounts {
  const asked = slots.filter(({ isUnexpected }) => !isUnexpected);
  return {
    asked: asked.length,
    present: asked.filter(({ state }) => state !== "missing").length,
    failing: slots.filter(({ state }) => state === "failing").length,
  };
}

/** `7 of 9 that are asked for are present, 1 attestation is failing` */
export function countsText({ asked, present, failing }: ChecklistCounts): string {
  const there =
    asked === 0 ? "Nothing is asked for" : `${present} of ${asked} that are asked for are present`;
  if (failing === 0) return there;
  return `${there}, ${failing} ${failing === 1 ? "attestation is" : "attestations are"} failing`;
}
