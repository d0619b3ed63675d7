import { editDistance } from "../nearest.ts";
import { isOfType } from "./attestation-type.ts";
import type { AttestationSlot, Slot, TemplateMatch } from "./template-match.ts";

interface Rule {
  readonly name: string;
  readonly type: string;
}

/** What a template asks for: attestations about the trail, and artifacts with the attestations about them. */
export interface TemplateSlots {
  readonly attestations: readonly Rule[];
  readonly artifacts: readonly { readonly name: string; readonly attestations: readonly Rule[] }[];
}

/** An artifact that was reported, by its name. */
interface ReportedArtifact {
  readonly artifact: string;
}

export interface RecordedAttestation {
  readonly attestation: string;
  /** Undefined when only the service knows: then the name alone decides. */
  readonly type: string | undefined;
  /** The names of the artifacts that it is about; none when it is about the trail. */
  readonly artifacts: readonly string[];
  /** Those of them that the trail has only at other commits: a target reference does not count for them. */
  readonly elsewhere?: readonly string[];
}

export type TemplateRecord = ReportedArtifact | RecordedAttestation;

/** Whether a template asks for a record and, when it asks for others in its place, which of them comes nearest. */
export function matchTemplate(template: TemplateSlots, record: TemplateRecord): TemplateMatch {
  return "attestation" in record
    ? judge(attestationSlots(template), (slot) => meets(record, slot), farnessFrom(record))
    : judge(
        template.artifacts.map(({ name }) => ({ artifact: name })),
        ({ artifact }) => artifact === record.artifact,
        ({ artifact }) => nameDistance(artifact, record.artifact),
      );
}

/** More slots than this are not compared, so that no template makes each record slow. */
const MOST_COMPARED = 500;

function judge<S extends Slot>(
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

/** From here on names have nothing in common, and the type tells more. */
const UNLIKE = 4;

/** A slip in the name is likelier than another type, and that is likelier than another subject. */
function farnessFrom(record: RecordedAttestation): (slot: AttestationSlot) => number {
  return (slot) => {
    const names = nameDistance(record.attestation, slot.attestation);
    // The rest only orders what is equally unlike.
    const name = names < UNLIKE ? names : UNLIKE + names / 1_000;
    return name + (hasType(record, slot) ? 0 : 1.5) + (isAboutThat(record, slot) ? 0 : 0.5);
  };
}

/** Names that agree for so many letters and differ later are near enough. */
const MOST_LETTERS = 64;

function nameDistance(one: string, other: string): number {
  const start = (name: string) => name.slice(0, MOST_LETTERS).toLowerCase();
  return editDistance(start(one), start(other));
}
