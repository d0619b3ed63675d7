import type * as z from "zod/mini";
import type { Camel } from "../wire-names.ts";
import type { trailStatus } from "./trail-record.ts";

/* The requirements of a trail and their state, in reading order. */

type TrailStatus = Camel<z.infer<typeof trailStatus>>;
type SlotStatus = NonNullable<TrailStatus["attestationsStatuses"]>[number];
type ArtifactStatus = NonNullable<TrailStatus["artifactsStatuses"]>[string];

/** States of a slot, most severe first. */
const SLOT_STATES = ["failing", "missing", "overridden", "passing"] as const;
export type SlotState = (typeof SLOT_STATES)[number];

/** One line of a checklist: a slot or an artifact. */
export interface ChecklistLine {
  /** Name for users: `unit-test`, `app.unit-test`, or `app` for an artifact. */
  readonly name: string;
  /** `artifact`, or the required or recorded type of attestation; `*` for any. */
  readonly type: string;
  readonly state: SlotState;
  /** Whether the template does not require it. A failure counts nevertheless. */
  readonly isUnexpected: boolean;
}

/** A required or recorded attestation. */
export interface Slot extends ChecklistLine {
  readonly isCompliant: boolean | null;
  /** ID of the latest attestation of the name. */
  readonly attestationId: string | undefined;
  /** ID of the overridden attestation. */
  readonly overriddenId: string | undefined;
  /** Comparison of the record with the proven origin; undefined if none was proven. */
  readonly originState: SlotStatus["originState"] | undefined;
}

/** The slots of the trail itself, or of one of its artifacts. */
export interface ChecklistPart {
  /** Absent for the trail itself. */
  readonly artifact?: {
    /** Name in the template, or in the report. */
    readonly name: string;
    /** Undefined if it was not reported. */
    readonly fingerprint: string | undefined;
    /** State of the artifact itself, without its attestations. Undefined if only attestations name it. */
    readonly state: SlotState | undefined;
    readonly isUnexpected: boolean;
  };
  /** Most severe first: failing, missing, overridden, passing; in each state, required ones first. */
  readonly slots: readonly Slot[];
}

/** Numbers of required artifacts and attestations, of those present, and of all that fail. */
export interface ChecklistCounts {
  readonly required: number;
  readonly present: number;
  readonly failing: number;
}

export interface Checklist {
  readonly parts: readonly ChecklistPart[];
  readonly counts: ChecklistCounts;
}

/** Makes the checklist of a trail from its compliance status. */
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

/** The whole checklist in one list, most severe first. */
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
  // Failing attestations have slots of their own. Without one, the report itself said non-compliant.
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
  const required = lines.filter(({ isUnexpected }) => !isUnexpected);
  return {
    required: required.length,
    present: required.filter(({ state }) => state !== "missing").length,
    failing: lines.filter(({ state }) => state === "failing").length,
  };
}

/** `7 of 9 present, 1 failing` */
export function countsText({ required, present, failing }: ChecklistCounts): string {
  const there = required === 0 ? "Nothing is required" : `${present} of ${required} present`;
  return failing === 0 ? there : `${there}, ${failing} failing`;
}
