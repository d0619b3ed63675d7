/** A required artifact. */
interface ArtifactSlot {
  readonly artifact: string;
}

/** A required attestation. */
export interface AttestationSlot {
  /** Name of the attested artifact; undefined for the trail. */
  readonly artifact: string | undefined;
  readonly attestation: string;
  /** Type of attestation: a built-in kind, `custom:<name>`, or `*` for any. */
  readonly type: string;
}

export type Slot = ArtifactSlot | AttestationSlot;

/** Whether a template requires a new record. */
export type TemplateMatch =
  /** It requires this record. */
  | { readonly result: "met" }
  /** It requires other artifacts or attestations, with the nearest if known. */
  | { readonly result: "unmet"; readonly nearest?: Slot }
  /** It requires no artifact, or no attestation. */
  | { readonly result: "nothing-asked" };

/** Header of a response with the match. */
export const TEMPLATE_MATCH_HEADER = "X-Template-Match";

/** Maximum length of the header, because HTTP parsers limit headers and types may be long. */
const MAX_HEADER = 2_000;

/** Formats the header. The text is always ASCII. */
export function formatTemplateMatch(match: TemplateMatch): string {
  const { result } = match;
  const nearest = match.result === "unmet" ? Object.entries(match.nearest ?? {}) : [];
  const fields = nearest.filter(([, value]) => value !== undefined);
  const text = new URLSearchParams([["result", result], ...fields]).toString();
  return text.length <= MAX_HEADER ? text : `result=${result}`;
}

/** Reads the header; undefined if the service did not send it. */
export function readTemplateMatch(header: unknown): TemplateMatch | undefined {
  if (typeof header !== "string") return undefined;
  const fields = new URLSearchParams(header);
  const result = fields.get("result");
  if (result === "met" || result === "nothing-asked") return { result };
  if (result !== "unmet") return undefined;
  const nearest = slotOf(fields);
  return { result, ...(nearest && { nearest }) };
}

function slotOf(fields: URLSearchParams): Slot | undefined {
  const artifact = fields.get("artifact") ?? undefined;
  const attestation = fields.get("attestation");
  const type = fields.get("type");
  if (attestation !== null && type !== null) return { artifact, attestation, type };
  return attestation === null && artifact !== undefined ? { artifact } : undefined;
}

/** Name of a slot for users: `unit-test`, `app.unit-test`, or `app` for an artifact. */
export function nameOfSlot(slot: Slot): string {
  if (!("attestation" in slot)) return slot.artifact;
  return slot.artifact === undefined ? slot.attestation : `${slot.artifact}.${slot.attestation}`;
}
