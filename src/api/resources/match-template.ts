import { editDistance } from "../nearest.ts";
import { isOfType } from "./attestation-type.ts";
import type { AttestationSlot, Slot, TemplateMatch } from "./template-match.ts";

interface Rule {
  readonly name: string;
  readonly type: string;
}

/** Requirements of a template: attestations of the trail, and artifacts with their attestations. */
export interface TemplateSlots {
  readonly attestations: readonly Rule[];
  readonly artifacts: readonly { readonly name: string; readonly attestations: readonly Rule[] }[];
}

/** A reported artifact. */
interface ReportedArtifact {
  readonly artifact: string;
}

export interface RecordedAttestation {
  readonly attestation: string;
  /** Undefined if only the service knows it. Then the name decides. */
  readonly type: string | undefined;
  /** Names of the attested artifacts; empty for the trail. */
  readonly artifacts: readonly string[];
  /** Attested artifacts that the trail has only at other commits. A target reference does not count for them. */
  readonly elsewhere?: readonly string[];
}

export type TemplateRecord = ReportedArtifact | RecordedAttestation;

/** Checks whether a template requires a record, and finds the nearest requirement if not. */
export function matchTemplate(template: TemplateSlots, record: TemplateRecord): TemplateMatch {
  return "attestation" in record
    ? compareSlots(attestationSlots(template), (slot) => meets(record, slot), farnessFrom(record))
    : compareSlots(
        template.artifacts.map(({ name }) => ({ artifact: name })),
        ({ artifact }) => artifact === record.artifact,
        ({ artifact }) => nameDistance(artifact, record.artifact),
      );
}

/** Maximum number of compared slots, so that a large template does not slow down each record. */
const MOST_COMPARED = 500;

function compareSlots<S extends Slot>(
  slots: readonly S[],
  meetsIt: (slot: S) => boolean,
  farness: (slot: S) => number,
): TemplateMatch {
  if (slots.length === 0) return { result: "nothing-asked" };
  if (slots.some(meetsIt)) return { result: "met" };
  const ranked = slots.slice(0, MOST_COMPARED).map((slot) => ({ slot, far: farness(slot) }));
  const [nearest] = ranked.sort((a, b) => a.far - b.far);
  return { result: "unmet", ...(nearest && { nearest: nearest.slot }) };
}

function attestationSlots({ attestations, artifacts }: TemplateSlots): AttestationSlot[] {
  const slotOf = (artifact: string | undefined) => (rule: Rule) => ({
    artifact,
    attestation: rule.name,
    type: rule.type,
  });
  return [
    ...attestations.map(slotOf(undefined)),
    ...artifacts.flatMap(({ name, attestations: own }) => own.map(slotOf(name))),
  ];
}

function meets(record: RecordedAttestation, slot: AttestationSlot): boolean {
  const { artifact, attestation } = slot;
  if (artifact !== undefined && record.elsewhere?.includes(artifact)) return false;
  return record.attestation === attestation && hasType(record, slot) && isAboutThat(record, slot);
}

function hasType({ type }: RecordedAttestation, slot: AttestationSlot): boolean {
  return type === undefined || isOfType(type, slot.type);
}

function isAboutThat({ artifacts }: RecordedAttestation, { artifact }: AttestationSlot): boolean {
  return artifact === undefined ? artifacts.length === 0 : artifacts.includes(artifact);
}

/** Distance from which names are unrelated, so the type matters more. */
const UNLIKE = 4;

/** A typo in the name is likelier than a wrong type, which is likelier than a wrong subject. */
function farnessFrom(record: RecordedAttestation): (slot: AttestationSlot) => number {
  return (slot) => {
    const names = nameDistance(record.attestation, slot.attestation);
    // The fraction only orders unrelated names.
    const name = names < UNLIKE ? names : UNLIKE + names / 1_000;
    return name + (hasType(record, slot) ? 0 : 1.5) + (isAboutThat(record, slot) ? 0 : 0.5);
  };
}

/** Compared length of a name, in characters. */
const MOST_LETTERS = 64;

function nameDistance(one: string, other: string): number {
  const start = (name: string) => name.slice(0, MOST_LETTERS).toLowerCase();
  return editDistance(start(one), start(other));
}
